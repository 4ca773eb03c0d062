#include "simulate.h"

#include <math.h>
#include <string.h>

enum { GAME_MASK = (1 << SV_GAME_BITS) - 1, MAX_ROLLS = 5, AHEAD = 8 };
enum { MAX_COMBINATIONS = 1 + 6 + 36 + 216 + 1296 + 7776 + 46656 }; /* of the faces of 0 .. SV_MAX_DICE dice */

/* What is done about a roll, as one number: a hold, or an outcome after all holds, with the bonus after the others. */
typedef uint16_t decision;
enum { UNKNOWN = 0xFFFF };

/* The turn of up to SV_LANES sheets of a row, solved, and what came up of one of them so far. */
typedef struct {
    const sv_game *g;
    const double *values;
    uint64_t ended, row_begin, row_end;  /* the sheets of the row */
    sv_sheet sheet;
    sv_choices choices;
    sv_source *sources;
    int n_sources;
    double *room, *outcomes, *x, *scratch;
    double *hold[MAX_ROLLS];             /* per rerolls left: values of holds */
    double *best[MAX_ROLLS];             /* ... the best within each, where holds are free */
    decision *known;                     /* per rerolls left and roll: what is done when no dice are locked */
    uint16_t *thrown[SV_MAX_DICE + 1];   /* per dice and number thrown: the dice as a hold */
    uint16_t (*below)[SV_FACES];         /* per hold: the hold with one die less of that face */
    uint8_t *size;                       /* per hold: its dice */
    uint8_t *box_of;                     /* per outcome */
} player;

size_t sv_play_memory(const sv_game *g)
{
    size_t outcomes = (size_t)g->outcomes, holds = (size_t)g->lattice.holds;
    size_t rows = outcomes + 2 * holds * (size_t)g->rolls + 1;
    size_t bytes = outcomes * (sizeof(sv_source) + 1) + MAX_COMBINATIONS * sizeof(uint16_t);
    bytes += holds * (MAX_ROLLS * sizeof(decision) + SV_FACES * sizeof(uint16_t) + 1);
    return sv_lines(rows) + outcomes * sv_row_lanes(g) + bytes / sizeof(double) + 1;
}

/* Sets the tables that all turns share. */
static void fill_tables(player *p)
{
    const sv_lattice *t = &p->g->lattice;

    p->thrown[0][0] = 0;
    for (int k = 1, n = SV_FACES; k <= t->dice; k++, n *= SV_FACES)
        for (int i = 0; i < n; i++)
            p->thrown[k][i] = t->above[p->thrown[k - 1][i / SV_FACES]][i % SV_FACES];
    for (int h = 0, k = 0; h < t->holds; h++) {
        k += h == t->first[k + 1];
        p->size[h] = (uint8_t)k;
        for (int f = 0; f < SV_FACES && k < t->dice; f++)
            p->below[t->above[h][f]][f] = (uint16_t)h;
    }
    for (int b = 0; b < p->g->boxes; b++)
        memset(p->box_of + p->g->box[b].outcome, b, (size_t)p->g->box[b].outcomes);
}

static player lay_out(const sv_game *g, const double *values, uint64_t ended, double *memory)
{
    size_t size = sv_lines((size_t)g->lattice.holds);
    player p = {.g = g, .values = values, .ended = ended};
    double *end = sv_aligned(memory);

    p.outcomes = end;
    p.x = p.outcomes + sv_lines((size_t)g->outcomes);
    p.scratch = p.x + size;
    end = p.scratch + size;
    for (int r = 1; r < g->rolls; r++, end += 2 * size) {
        p.hold[r] = end;
        p.best[r] = end + size;
    }
    p.room = end;
    p.sources = (sv_source *)(p.room + (size_t)g->outcomes * sv_row_lanes(g));
    p.known = (decision *)(p.sources + g->outcomes);
    p.thrown[0] = p.known + MAX_ROLLS * g->lattice.holds;
    for (int k = 0, n = 1; k < g->lattice.dice; k++, n *= SV_FACES)
        p.thrown[k + 1] = p.thrown[k] + n;
    p.below = (uint16_t (*)[SV_FACES])(p.thrown[0] + MAX_COMBINATIONS);
    p.size = (uint8_t *)(p.below + g->lattice.holds);
    p.box_of = p.size + g->lattice.holds;
    fill_tables(&p);
    return p;
}

/* Makes the row that a sheet lies in the current one. */
static void enter_row(player *p, uint64_t sheet)
{
    const sv_game *g = p->g;
    int64_t lower = (int64_t)sheet / g->slots, slot = (int64_t)sheet % g->slots;
    int upper = g->uppers - 1;

    if (sheet >= p->row_begin && sheet < p->row_end)
        return;
    while (g->slot[upper] > slot)
        upper--;
    p->row_begin = (uint64_t)(lower * g->slots + g->slot[upper]);
    p->row_end = p->row_begin + (uint64_t)g->live[upper] + 1;
    p->sheet = sv_sheet_of(g, lower, upper);
    sv_choose(g, &p->sheet, 0, &p->choices);
    p->n_sources = sv_list_sources(g, p->values, &p->sheet, p->sources, p->room);
}

/* The values of all holds for every number of rerolls left. */
static void solve_turn(player *p, const int *lanes, int n)
{
    const sv_lattice *t = &p->g->lattice;
    size_t holds = sv_lines((size_t)t->first[t->dice]);

    sv_gather_outcomes(p->g, p->sources, p->n_sources, lanes, n, p->outcomes);
    sv_write_rolls(t, &p->choices, n, p->outcomes, p->x);
    for (int r = 1; r < p->g->rolls; r++) {
        sv_reroll(t, r, p->g->locked, n, p->x, p->scratch);
        memcpy(p->hold[r], p->x, holds * sizeof *p->x);
        if (p->g->locked)
            continue;
        memcpy(p->best[r], p->x, holds * sizeof *p->x);
        sv_best_within(t, t->dice - 1, p->best[r]);
    }
}

/* The same as sv_best_hold with nothing held, from the best within each hold: a walk where that one lists all holds. */
static int best_hold(const player *p, int lane, int roll, int left, double *value)
{
    const double *x = p->hold[left] + lane, *best = p->best[left] + lane;
    double most = -INFINITY;
    int hold = roll;

    for (int f = 0; f < SV_FACES; f++)
        if (p->g->lattice.count[roll][f] > 0 && best[sv_lines(p->below[roll][f])] > most)
            most = best[sv_lines(p->below[roll][f])];
    do {
        int f = SV_FACES - 1;
        while (p->g->lattice.count[hold][f] == 0 || !(best[sv_lines(p->below[hold][f])] >= most - SV_TIE))
            f--;
        hold = p->below[hold][f];
        most = best[sv_lines((size_t)hold)];
        *value = x[sv_lines((size_t)hold)];
    } while (!(*value >= most - SV_TIE));
    return hold;
}

/* What is done about a roll, by the rule in forward.h. */
static decision decide(const player *p, int lane, int roll, int held, int left)
{
    const sv_game *g = p->g;
    const sv_lattice *t = &g->lattice;
    int hold = -1, all = t->first[t->dice] + roll;
    double value = 0;

    if (left > 0 && g->locked)
        hold = sv_best_hold(t, all, held, p->hold[left] + lane, &value);
    else if (left > 0)
        hold = best_hold(p, lane, all, left, &value);
    sv_option best = sv_best_option(g, &p->sheet, roll, left == g->rolls - 1, hold, value, p->outcomes + lane);
    if (best.box == SV_OPTION_HOLD)
        return (decision)best.hold;
    return (decision)(t->holds + best.outcome + (best.bonus > 0 ? g->outcomes : 0));
}

/* One turn of a game: the number of the outcome that is written, with the bonus after the others. */
static int play_dice(player *p, const sv_dice *dice, int lane)
{
    const sv_game *g = p->g;
    const sv_lattice *t = &g->lattice;
    sv_stream s = sv_open_stream(dice);
    int held = 0, size = 0, first = t->first[t->dice];

    for (int left = g->rolls - 1;; left--) {
        uint32_t number = sv_throw(&s, g->rolls - 1 - left, t->dice - size);
        int roll = t->sums[t->sum_first[held] + p->thrown[t->dice - size][number]] / SV_LANES - first;
        decision chosen;
        if (g->locked && held > 0) {
            chosen = decide(p, lane, roll, held, left);
        } else {
            decision *known = &p->known[left * t->holds + roll];
            if (*known == UNKNOWN)
                *known = decide(p, lane, roll, 0, left);
            chosen = *known;
        }
        if (chosen >= t->holds)
            return chosen - t->holds;
        held = chosen;
        size = p->size[held];
    }
}

/* Writes the outcome on a sheet of the row: the sheet it leads to; the points are added to *score. */
static uint64_t write_outcome(const player *p, int lane, int outcome, int32_t *score)
{
    const sv_game *g = p->g;
    int five = outcome >= g->outcomes, paid;

    outcome -= five ? g->outcomes : 0;
    if (outcome == SV_WIN) {
        *score += (int32_t)g->win_points;
        return p->ended;
    }
    const sv_box *box = &g->box[p->box_of[outcome]];
    int points = (int)g->points[outcome], next = sv_next_lane(g, p->sheet.upper, lane, box, points, &paid);
    int64_t lower = sv_next_lower(box, p->sheet.lower, outcome > box->outcome);
    *score += points + paid + (five ? (int32_t)g->five_bonus : 0);
    return (uint64_t)(lower * g->slots + g->slot[p->sheet.upper | box->upper_bit] + next);
}

/* Plays the games on one sheet: lane `lane` of the block, `in_row` of the row. */
static void play_games(player *p, const sv_dice *first, int lane, int in_row, uint64_t *games, size_t n, int32_t *score)
{
    memset(p->known, 0xFF, (size_t)(p->g->rolls * p->g->lattice.holds) * sizeof *p->known);
    for (size_t i = 0; i < n; i++) {
        uint64_t number = games[i] & GAME_MASK;
        if (i + AHEAD < n)
            SV_PREFETCH(&score[games[i + AHEAD] & GAME_MASK]);
        sv_dice dice = {first->seed, first->game + number, first->turn};
        int outcome = play_dice(p, &dice, lane);
        games[i] = write_outcome(p, in_row, outcome, &score[number]) << SV_GAME_BITS | number;
    }
}

/* Plays the games on the first sheets, up to SV_LANES of one row; returns how many games there are on them. */
static size_t play_block(player *p, const sv_dice *first, uint64_t *games, size_t n, int32_t *score)
{
    int lanes[SV_LANES], sheets = 0;
    size_t begin[SV_LANES + 1], i = 0;

    enter_row(p, games[0] >> SV_GAME_BITS);
    for (; i < n && games[i] >> SV_GAME_BITS < p->row_end; i++) {
        int lane = (int)((games[i] >> SV_GAME_BITS) - p->row_begin);
        if (sheets > 0 && lanes[sheets - 1] == lane)
            continue;
        if (sheets == SV_LANES)
            break;
        lanes[sheets] = lane;
        begin[sheets++] = i;
    }
    begin[sheets] = i;
    for (int l = sheets; l < SV_LANES; l++)
        lanes[l] = lanes[0];
    solve_turn(p, lanes, sheets);
    for (int l = 0; l < sheets; l++)
        play_games(p, first, l, lanes[l], games + begin[l], begin[l + 1] - begin[l], score);
    return i;
}

void sv_play_turn(const sv_game *g, const double *values, uint64_t ended, const sv_dice *first, uint64_t *games,
                  size_t n, int32_t *score, double *memory)
{
    player p = lay_out(g, values, ended, memory);
    for (size_t i = 0; i < n && games[i] >> SV_GAME_BITS != ended;)
        i += play_block(&p, first, games + i, n - i, score);
}

/* By digits of DIGIT bits, the lowest one first. */
void sv_sort_games(uint64_t *games, size_t n, uint64_t ended, uint64_t *room)
{
    enum { DIGIT = 11, SIZE = 1 << DIGIT };
    uint64_t *from = games, *to = room;

    for (int shift = SV_GAME_BITS; ended >> (shift - SV_GAME_BITS); shift += DIGIT) {
        size_t next[SIZE] = {0}, sum = 0;
        for (size_t i = 0; i < n; i++)
            next[from[i] >> shift & (SIZE - 1)]++;
        for (int d = 0; d < SIZE; d++) {
            size_t count = next[d];
            next[d] = sum;
            sum += count;
        }
        for (size_t i = 0; i < n; i++)
            to[next[from[i] >> shift & (SIZE - 1)]++] = from[i];
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != games)
        memcpy(games, from, n * sizeof *games);
}
