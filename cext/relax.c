#include "relax.h"

#include "dice.h"
#include "forward.h"

#include <math.h>
#include <string.h>

enum { MAX_ROLLS = 5 };
#define NEVER (-1e30) /* an outcome that may not be written */

/* Room for one turn of a block. */
typedef struct {
    double *x, *scratch, *rolls;   /* `rolls`: what rolls are worth when the turn ends with them */
    double *outcomes;              /* per column, then the best of all columns */
    double *hold[MAX_ROLLS];       /* per rerolls to come: the values of holds */
    double *end;
} turn_room;

static size_t room_lines(const sv_game *g, int columns)
{
    size_t holds = (size_t)g->lattice.holds;
    return sv_lines((3 + (size_t)g->rolls) * holds + (size_t)(columns + 1) * (size_t)g->outcomes + 1);
}

static turn_room lay_out(const sv_game *g, int columns, double *memory)
{
    size_t size = sv_lines((size_t)g->lattice.holds);
    turn_room r;

    r.x = sv_aligned(memory);
    r.scratch = r.x + size;
    r.rolls = r.scratch + size;
    r.outcomes = r.rolls + size;
    r.end = r.outcomes + sv_lines((size_t)(columns + 1) * (size_t)g->outcomes);
    for (int i = 0; i < g->rolls; i++, r.end += size)
        r.hold[i] = r.end;
    return r;
}

static int has(uint32_t boxes, int b)
{
    return boxes >> b & 1;
}

/* The best of writing and of passing, with their prices: x[roll] comes as what writing is worth. */
SV_CLONES
static void price_rolls(const sv_lattice *t, const sv_prices *p, int may_write, int may_pass, const double *stay,
                        double *x)
{
    double *rolls = x + sv_lines((size_t)t->first[t->dice]);
    int n = t->holds - t->first[t->dice];

    for (int r = 0; r < n; r++, rolls += SV_LANES) {
        double write = may_write ? p->write[r] : 0, pass = p->pass[r];
        if (!may_write)
            for (int l = 0; l < SV_LANES; l++)
                rolls[l] = stay[l] + pass;
        else if (!may_pass)
            for (int l = 0; l < SV_LANES; l++)
                rolls[l] += write;
        else
            for (int l = 0; l < SV_LANES; l++) {
                double a = rolls[l] + write, b = stay[l] + pass;
                rolls[l] = a > b ? a : b;
            }
    }
}

SV_CLONES
static void price_holds(const sv_lattice *t, const double *price, double *x)
{
    for (int h = 0; h < t->first[t->dice]; h++, x += SV_LANES)
        for (int l = 0; l < SV_LANES; l++)
            x[l] += price[h];
}

/* One reroll more. Where holds have prices, a reroll is not skipped: the rolls get back what they end the turn with. */
static void reroll(const sv_game *g, const double *prices, int n, int lanes, turn_room *r)
{
    const sv_lattice *t = &g->lattice;
    size_t first = sv_lines((size_t)t->first[t->dice]), size = sv_lines((size_t)t->holds) - first;

    sv_reroll(t, n, g->locked, lanes, r->x, r->scratch);
    if (prices) {
        price_holds(t, prices + (n - 1) * t->holds, r->x);
        memcpy(r->x + first, r->rolls + first, size * sizeof *r->x);
    }
}

/* What counts otherwise on the first roll is written at the same price as everything else. */
static void serve(const sv_lattice *t, const sv_choices *c, const sv_prices *p, const double *outcomes, double *x)
{
    double *rolls = x + sv_lines((size_t)t->first[t->dice]);
    int n = t->holds - t->first[t->dice];

    for (int r = 0; r < n; r++)
        for (int l = 0; l < SV_LANES; l++)
            rolls[r * SV_LANES + l] -= p->write[r];
    sv_serve(t, c, outcomes, x);
    for (int r = 0; r < n; r++)
        for (int l = 0; l < SV_LANES; l++)
            rolls[r * SV_LANES + l] += p->write[r];
}

size_t sv_relax_memory(const sv_game *g)
{
    size_t outcomes = (size_t)g->outcomes;
    return room_lines(g, 0) + outcomes * sv_row_lanes(g) + sizeof(sv_source) * outcomes / sizeof(double) + 1;
}

void sv_relax_row(const sv_game *g, const sv_prices *p, const double *next, double *values, int64_t lower, int upper,
                  int may_pass, double *memory)
{
    const sv_lattice *t = &g->lattice;
    turn_room r = lay_out(g, 0, memory);
    sv_source *list = (sv_source *)(r.end + (size_t)g->outcomes * sv_row_lanes(g));
    int64_t place = lower * g->slots + g->slot[upper];
    int total = g->live[upper] + 1, served = 0;
    sv_sheet s = sv_sheet_of(g, lower, upper);
    int may_write = sv_playable(g, s.written) != 0;
    sv_choices choices, plain;
    double value[SV_LANES], stay[SV_LANES] = {0};

    sv_choose(g, &s, 0, &choices);
    plain = choices;
    for (int i = 0; i < choices.n; i++) {
        served |= choices.served[i].n > 0;
        plain.served[i].n = 0;
    }
    int n = may_write ? sv_list_sources(g, next, &s, list, r.end) : 0;
    for (int first = 0; first < total; first += SV_LANES) {
        int lanes = total - first < SV_LANES ? total - first : SV_LANES, lane[SV_LANES];
        for (int l = 0; l < SV_LANES; l++) {
            lane[l] = first + (l < lanes ? l : 0);
            if (may_pass)
                stay[l] = next[place + lane[l]];
        }
        if (may_write) {
            sv_gather_outcomes(g, list, n, lane, lanes, r.outcomes);
            sv_write_rolls(t, &choices, SV_LANES, r.outcomes, r.x);
        }
        price_rolls(t, p, may_write, may_pass, stay, r.x);
        if (p->hold)
            memcpy(r.rolls, r.x, sv_lines((size_t)t->holds) * sizeof *r.x);
        for (int i = 1; i < g->rolls; i++)
            reroll(g, p->hold ? p->hold : NULL, i, lanes, &r);
        if (served)
            serve(t, &choices, p, r.outcomes, r.x);
        sv_first_roll(t, &plain, g->rolls - 1, lanes, r.outcomes, r.x, value);
        memcpy(values + place + first, value, (size_t)lanes * sizeof *value);
    }
}

/* Play. */

typedef struct {
    const sv_team *team;
    int turn;
    const sv_game *g;              /* of the first column: all have the same boxes */
    sv_choices choices;            /* every box */
    turn_room r;
    sv_prices prices;              /* of a relaxed column */
    double stay[SV_LANES];
    int may_pass[SV_LANES];
} player;

/* What is done about a roll: box < 0: the column passes. */
typedef struct {
    int column, box, outcome;
    double value;
} decision;

size_t sv_team_memory(const sv_team *team)
{
    return room_lines(team->games[0], team->columns);
}

static player begin_play(const sv_team *team, double *memory)
{
    player p = {.team = team, .g = team->games[0]};
    p.r = lay_out(p.g, team->columns, memory);
    for (int b = 0; b < p.g->boxes; b++) {
        p.choices.scratch[b] = (uint16_t)p.g->box[b].outcome;
        p.choices.scored[b] = p.g->box[b].scored;
    }
    p.choices.n = p.g->boxes;
    return p;
}

static int open_boxes(const sv_game *g, const sv_column *c)
{
    int n = 0;
    for (int b = 0; b < g->boxes; b++)
        n += !has(c->sheet.written, b);
    return n;
}

/* Whether the column may stay as it is in this turn. */
static int may_stay(const player *p, const sv_column *c)
{
    return open_boxes(p->g, c) < p->team->turns - p->turn;
}

/* What staying as it is is worth, or 0 where it may not: then all turns left are its own. */
static double worth_of(const player *p, int k, const sv_column *c)
{
    const double *next = p->team->values[k] + (p->turn + 1) * p->team->size;
    return may_stay(p, c) ? sv_value(p->team->games[k], next, c->sheet.lower, c->sheet.upper, c->total) : 0;
}

static double extra_of(const player *p, const sv_column *columns, int k, int b)
{
    const sv_team *team = p->team;
    int n = 0;
    if (!team->extra)
        return 0;
    for (int i = 0; i < team->columns; i++)
        n += !has(columns[i].sheet.written, b);
    return team->extra[((p->turn * team->columns + k) * p->g->boxes + b) * (team->columns + 1) + n];
}

/* out[o * SV_LANES]: what writing outcome o in column k is worth beyond staying as it is. */
static void weigh_column(const player *p, const sv_column *columns, int k, double *out)
{
    const sv_team *team = p->team;
    const sv_game *g = team->games[k];
    const sv_column *c = &columns[k];
    const double *next = team->values[k] + (p->turn + 1) * team->size;
    uint32_t playable = sv_playable(g, c->sheet.written);
    double stay = worth_of(p, k, c);

    out[sv_lines(SV_SCRATCH)] = out[sv_lines(SV_WIN)] = NEVER;
    for (int b = 0; b < g->boxes; b++) {
        const sv_box *box = &g->box[b];
        double *o = out + sv_lines((size_t)box->outcome);
        if (!has(playable, b)) {
            for (int i = 0; i < box->outcomes; i++)
                o[i * SV_LANES] = NEVER;
            continue;
        }
        int pays = sv_pays(g, &c->sheet, b), upper = c->sheet.upper | box->upper_bit;
        double extra = extra_of(p, columns, k, b), value = 0;
        for (int i = 0; i < box->outcomes; i++) {
            double points = pays ? g->points[box->outcome + i] : 0;
            int after = c->total + (box->upper_bit ? (int)points : 0);
            double bonus = c->total < g->threshold && after >= g->threshold ? g->upper_bonus : 0;
            if (i < 2 || box->upper_bit)
                value = sv_value(g, next, sv_next_lower(box, c->sheet.lower, pays && i > 0), upper, after);
            o[i * SV_LANES] = team->multiplier[k] * ((points + bonus) + (value - stay)) + extra;
        }
        if (o[0] > out[sv_lines(SV_SCRATCH)])
            out[sv_lines(SV_SCRATCH)] = o[0];
    }
}

SV_CLONES
static void best_of_columns(const double *columns, int n, size_t size, double *out)
{
    memcpy(out, columns, size * sizeof *out);
    for (int k = 1; k < n; k++)
        for (size_t i = 0; i < size; i++) {
            double a = columns[(size_t)k * size + i];
            out[i] = out[i] > a ? out[i] : a;
        }
}

/* Prices of a block whose lanes may differ in whether they may pass. */
static void price_lanes(player *p)
{
    const sv_lattice *t = &p->g->lattice;
    double *rolls = p->r.x + sv_lines((size_t)t->first[t->dice]);

    for (int r = 0; r < t->holds - t->first[t->dice]; r++, rolls += SV_LANES)
        for (int l = 0; l < SV_LANES; l++) {
            double pass = p->may_pass[l] ? p->prices.pass[r] : NEVER;
            rolls[l] += p->prices.write[r];
            rolls[l] = rolls[l] > pass ? rolls[l] : pass;
        }
}

/* Solves the turn of the games in the lanes, as far as `rerolls` to come. */
static void solve_turn(player *p, const sv_column *columns, int lanes, int rerolls)
{
    const sv_team *team = p->team;
    const sv_lattice *t = &p->g->lattice;
    size_t size = sv_lines((size_t)p->g->outcomes);
    double *best = p->r.outcomes + size * (size_t)team->columns;
    size_t holds = sv_lines((size_t)t->holds);

    for (int l = 0; l < SV_LANES; l++) {
        const sv_column *own = columns + (l < lanes ? l : 0) * team->columns;
        for (int k = 0; k < team->columns; k++)
            weigh_column(p, own, k, p->r.outcomes + (size_t)k * size + l);
        p->may_pass[l] = may_stay(p, own);
    }
    best_of_columns(p->r.outcomes, team->columns, size, best);
    sv_write_rolls(t, &p->choices, SV_LANES, best, p->r.x);
    if (team->write)
        price_lanes(p);
    memcpy(p->r.rolls, p->r.x, holds * sizeof *p->r.x);
    for (int i = 1; i <= rerolls; i++) {
        reroll(p->g, p->prices.hold, i, SV_LANES, &p->r);
        memcpy(p->r.hold[i], p->r.x, holds * sizeof *p->r.x);
    }
}

/* The best way to end the turn with a roll. */
static decision best_end(const player *p, int lane, int roll, int served)
{
    const sv_game *g = p->g;
    size_t size = sv_lines((size_t)g->outcomes);
    decision best = {0, -1, 0, -INFINITY};

    for (int k = 0; k < p->team->columns; k++)
        for (int b = 0; b < g->boxes; b++) {
            const sv_box *box = &g->box[b];
            int outcome = box->outcome + (served ? box->served : box->ordinary)[roll];
            double value = p->r.outcomes[(size_t)k * size + sv_lines((size_t)outcome) + (size_t)lane];
            if (value > best.value + SV_TIE)
                best = (decision){k, b, outcome, value};
        }
    if (p->team->write) {
        best.value += p->prices.write[roll];
        if (p->may_pass[lane] && p->prices.pass[roll] > best.value)
            best = (decision){0, -1, 0, p->prices.pass[roll]};
    }
    return best;
}

/* Throws the dice of one game's turn and decides; *roll is where they end. */
static decision play_dice(const player *p, const sv_dice *dice, int lane, int *roll, int64_t *holds)
{
    const sv_game *g = p->g;
    const sv_lattice *t = &g->lattice;
    sv_stream s = sv_open_stream(dice);
    int held = 0, size = 0, first = t->first[t->dice];

    for (int left = g->rolls - 1;; left--) {
        uint32_t number = sv_throw(&s, g->rolls - 1 - left, t->dice - size);
        int lying = held;
        double value;
        for (int i = size; i < t->dice; i++, number /= SV_FACES)
            lying = t->above[lying][number % SV_FACES];
        *roll = lying - first;
        decision end = best_end(p, lane, *roll, left == g->rolls - 1);
        if (left == 0)
            return end;
        int hold = sv_best_hold(t, lying, g->locked ? held : 0, p->r.hold[left] + lane, &value);
        if (!(value > end.value + SV_TIE))
            return end;
        held = hold;
        if (holds)
            holds[(left - 1) * t->holds + held]++;
        size = 0;
        while (held >= t->first[size + 1])
            size++;
    }
}

/* Writes an outcome in a column; returns the points, in those of the column. */
static double write_outcome(const sv_game *g, sv_column *c, const decision *d)
{
    const sv_box *box = &g->box[d->box];
    int pays = sv_pays(g, &c->sheet, d->box), makes = pays && d->outcome > box->outcome;
    int points = makes ? (int)g->points[d->outcome] : 0, before = c->total;

    c->sheet.lower = sv_next_lower(box, c->sheet.lower, makes);
    c->sheet.upper |= box->upper_bit;
    c->sheet.written |= (uint32_t)1 << d->box;
    int watched = box->upper_bit ? box->base == 2 : box->base == 3;
    c->sheet.holding |= (uint32_t)(watched && makes) << d->box;
    if (box->upper_bit)
        c->total += points;
    return points + (before < g->threshold && c->total >= g->threshold ? g->upper_bonus : 0);
}

static void record_position(const player *p, const sv_column *columns, size_t place, const sv_record *record)
{
    const sv_team *team = p->team;
    double worth = 0;

    for (int k = 0; k < team->columns; k++) {
        const sv_column *c = &columns[k];
        const double *values = team->values[k] + p->turn * team->size;
        worth += team->multiplier[k] * sv_value(team->games[k], values, c->sheet.lower, c->sheet.upper, c->total);
        if (record->written)
            record->written[place * (size_t)team->columns + (size_t)k] = c->sheet.written;
    }
    if (record->worth)
        record->worth[place] = worth;
}

static void cast_shadow(const player *p, int lanes, double *shadow)
{
    const sv_lattice *t = &p->g->lattice;
    const double *rolls = p->r.rolls + sv_lines((size_t)t->first[t->dice]);
    for (int r = 0; r < t->holds - t->first[t->dice]; r++)
        for (int l = 0; l < lanes; l++)
            shadow[r] += rolls[r * SV_LANES + l];
}

/* Plays the turn of the games in the lanes. */
static void play_block(player *p, uint64_t seed, uint64_t first, int lanes, sv_column *columns, double *points,
                       size_t place, const sv_tally *tally, const sv_record *record)
{
    const sv_team *team = p->team;
    const sv_lattice *t = &p->g->lattice;
    size_t turn = (size_t)p->turn, rolls = (size_t)(t->holds - t->first[t->dice]);
    int64_t *holds = tally->holds ? tally->holds + turn * (size_t)((p->g->rolls - 1) * t->holds) : NULL;

    solve_turn(p, columns, lanes, p->g->rolls - 1);
    if (tally->shadow)
        cast_shadow(p, lanes, tally->shadow + turn * rolls);
    for (int l = 0; l < lanes; l++) {
        sv_column *own = columns + l * team->columns;
        sv_dice dice = {seed, first + (uint64_t)l, (uint32_t)p->turn};
        int roll;
        decision d = play_dice(p, &dice, l, &roll, holds);
        double gained = 0;
        if (record->written || record->worth)
            record_position(p, own, (place + (size_t)l) * (size_t)team->turns + turn, record);
        if (d.box >= 0)
            gained = team->multiplier[d.column] * write_outcome(team->games[d.column], own + d.column, &d);
        points[l] += gained;
        if (record->gained)
            record->gained[(place + (size_t)l) * (size_t)team->turns + turn] = gained;
        if (tally->finals)
            tally->finals[turn * rolls + (size_t)roll]++;
        if (tally->writes && d.box >= 0)
            tally->writes[turn * rolls + (size_t)roll]++;
    }
}

/* Makes `turn` the current one. */
static void enter_turn(player *p, int turn)
{
    const sv_lattice *t = &p->g->lattice;
    int rolls = t->holds - t->first[t->dice];

    p->turn = turn;
    if (!p->team->write)
        return;
    p->prices.write = p->team->write + turn * rolls;
    p->prices.pass = p->team->pass + turn * rolls;
    p->prices.hold = p->team->hold ? p->team->hold + turn * (p->g->rolls - 1) * t->holds : NULL;
}

void sv_play_team(const sv_team *team, uint64_t seed, uint64_t first, size_t n, int turn, sv_column *columns,
                  double *points, const sv_tally *tally, const sv_record *record, double *memory)
{
    player p = begin_play(team, memory);
    for (; turn < team->turns; turn++) {
        enter_turn(&p, turn);
        for (size_t i = 0; i < n; i += SV_LANES) {
            int lanes = n - i < SV_LANES ? (int)(n - i) : SV_LANES;
            play_block(&p, seed, first + i, lanes, columns + i * (size_t)team->columns, points + i, i, tally, record);
        }
    }
}

void sv_team_turn(const sv_team *team, int turn, const sv_column *columns, int rerolls, double *holds,
                  double *outcomes, double *memory)
{
    player p = begin_play(team, memory);
    int n = team->columns * p.g->outcomes;

    enter_turn(&p, turn);
    solve_turn(&p, columns, 1, rerolls);
    for (int h = 0; h < p.g->lattice.holds; h++)
        holds[h] = p.r.x[sv_lines((size_t)h)];
    for (int o = 0; o < n; o++)
        outcomes[o] = p.r.outcomes[sv_lines((size_t)o)];
}
