#include "relax.h"

#include "dice.h"
#include "forward.h"
#include "portable.h"

#include <math.h>
#include <string.h>

enum { MAX_ROLLS = 5 };

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

/* Every box of a column may be written, as far as the lists go: what may not be is worth SV_NEVER. */
static sv_choices choose_all(const sv_game *g)
{
    sv_choices c;
    memset(&c, 0, sizeof c);
    c.n = g->boxes;
    for (int b = 0; b < g->boxes; b++) {
        c.scratch[b] = (uint16_t)g->box[b].outcome;
        c.scored[b] = g->box[b].scored;
        c.served[b] = g->box[b].first_roll;
    }
    return c;
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
        for (int i = 1; i < g->rolls; i++)
            sv_reroll(t, i, g->locked, lanes, r.x, r.scratch);
        if (served)
            serve(t, &choices, p, r.outcomes, r.x);
        sv_first_roll(t, &plain, g->rolls - 1, lanes, r.outcomes, r.x, value);
        memcpy(values + place + first, value, (size_t)lanes * sizeof *value);
    }
}

/* The values of the states after box `bit` is written, for eight neighbours: SV_NEVER for those that have it already. */
SV_INLINE void load_after(const double *next, int64_t first, int bit, double *out)
{
    int64_t step = (int64_t)1 << bit;

    if (step >= SV_LANES) {
        memcpy(out, next + first + step, SV_LANES * sizeof *out);
        return;
    }
    for (int l = 0; l < SV_LANES; l++)
        out[l] = l & step ? SV_NEVER : next[first + l + step];
}

/* The outcomes of the states first .. first + 7: of each the best over the columns. */
SV_CLONES
static void weigh_loose(const sv_game *g, const sv_part *part, const double *multiplier, const double *next,
                        int64_t first, double *outcomes)
{
    double after[SV_LANES], *scratch = outcomes + sv_lines(SV_SCRATCH);

    for (size_t i = 0; i < sv_lines((size_t)g->outcomes); i++)
        outcomes[i] = SV_NEVER;
    for (int i = 0; i < part->boxes; i++) {
        const sv_box *box = &g->box[part->category[i]];
        double factor = multiplier[part->column[i]];
        if (first >> i & 1 && i >= 3)
            continue;
        load_after(next, first, i, after);
        for (int o = 0; o < box->outcomes; o++) {
            double *out = outcomes + sv_lines((size_t)(box->outcome + o)), points = factor * g->points[box->outcome + o];
            for (int l = 0; l < SV_LANES; l++) {
                double value = points + after[l];
                out[l] = out[l] > value ? out[l] : value;
            }
        }
        for (int l = 0; l < SV_LANES; l++)
            scratch[l] = scratch[l] > after[l] ? scratch[l] : after[l];
    }
}

void sv_relax_loose(const sv_game *g, const sv_part *part, const double *multiplier, const sv_prices *p,
                    const double *next, double *values, int64_t first, double *memory)
{
    const sv_lattice *t = &g->lattice;
    turn_room r = lay_out(g, 0, memory);
    sv_choices choices = choose_all(g), plain = choices;
    int64_t states = (int64_t)1 << part->boxes;
    int served = 0, lanes = states < SV_LANES ? (int)states : SV_LANES;
    double stay[SV_LANES], value[SV_LANES];

    for (int b = 0; b < choices.n; b++) {
        served |= choices.served[b].n > 0;
        plain.served[b].n = 0;
    }
    for (int l = 0; l < SV_LANES; l++)
        stay[l] = l < lanes ? next[first + l] : SV_NEVER;
    weigh_loose(g, part, multiplier, next, first, r.outcomes);
    sv_write_rolls(t, &choices, SV_LANES, r.outcomes, r.x);
    price_rolls(t, p, 1, 1, stay, r.x);
    for (int i = 1; i < g->rolls; i++)
        sv_reroll(t, i, g->locked, SV_LANES, r.x, r.scratch);
    if (served)
        serve(t, &choices, p, r.outcomes, r.x);
    sv_first_roll(t, &plain, g->rolls - 1, SV_LANES, r.outcomes, r.x, value);
    memcpy(values + first, value, (size_t)lanes * sizeof *value);
}

/* Play. */

typedef struct {
    const sv_team *team;
    int turn;
    const sv_game *g;
    sv_choices choices;            /* every box */
    turn_room r;                   /* its outcomes: by column */
    sv_prices prices;              /* of a relaxed part */
    uint8_t part_of[SV_MAX_PARTS][SV_MAX_BOXES], box_of[SV_MAX_PARTS][SV_MAX_BOXES]; /* per column and category */
    int may_pass[SV_LANES];
} player;

/* What is done about a roll: category < 0: the part passes. */
typedef struct {
    int column, category, outcome;
    double value;
} decision;

size_t sv_team_memory(const sv_team *team)
{
    return room_lines(team->game, team->columns);
}

static player begin_play(const sv_team *team, double *memory)
{
    player p = {.team = team, .g = team->game};
    p.r = lay_out(p.g, team->columns, memory);
    p.choices = choose_all(p.g);
    for (int i = 0; i < team->parts; i++)
        for (int b = 0; b < team->part[i].boxes; b++) {
            p.part_of[team->part[i].column[b]][team->part[i].category[b]] = (uint8_t)i;
            p.box_of[team->part[i].column[b]][team->part[i].category[b]] = (uint8_t)b;
        }
    return p;
}

static const double *values_at(const player *p, int part, int turn)
{
    return p->team->part[part].values + turn * p->team->part[part].size;
}

/* What a part is worth before a turn. */
static double worth_at(const player *p, int i, const sv_state *s, int turn)
{
    const sv_part *part = &p->team->part[i];
    const double *values = values_at(p, i, turn);

    if (!part->game)
        return values[s->sheet.written];
    return p->team->multiplier[part->column[0]] * sv_value(part->game, values, s->sheet.lower, s->sheet.upper, s->total);
}

/* Whether the part may stay as it is in this turn: not when it needs all turns that are left. */
static int may_stay(const player *p, int i, const sv_state *s)
{
    int n = 0;
    for (int b = 0; b < p->team->part[i].boxes; b++)
        n += !has(s->sheet.written, b);
    return n < p->team->turns - p->turn;
}

/* The columns where a category is open, as bits. */
static unsigned open_columns(const player *p, const sv_state *states, int b)
{
    unsigned open = 0;
    for (int k = 0; k < p->team->columns; k++)
        open |= (unsigned)!has(states[p->part_of[k][b]].sheet.written, p->box_of[k][b]) << k;
    return open;
}

static const double *extra_at(const player *p, int turn, int b)
{
    const sv_team *team = p->team;
    return team->extra + ((turn * p->g->boxes + b) << team->columns);
}

/* What it makes of the extra worth when column k writes category b. */
static double extra_of(const player *p, const sv_state *states, int k, int b)
{
    if (!p->team->extra)
        return 0;
    unsigned open = open_columns(p, states, b);
    const double *extra = extra_at(p, p->turn + 1, b);
    return extra[open & ~(1u << k)] - extra[open];
}

/* What a position is worth before a turn; as it may stay in it: parts that may not count nothing. */
static double worth_of_all(const player *p, const sv_state *states, int turn, int staying)
{
    double worth = 0;
    for (int i = 0; i < p->team->parts; i++)
        if (!staying || may_stay(p, i, &states[i]))
            worth += worth_at(p, i, &states[i], turn);
    for (int b = 0; p->team->extra && b < p->g->boxes; b++)
        worth += extra_at(p, turn, b)[open_columns(p, states, b)];
    return worth;
}

/* out[column * outcomes + o]: what writing is worth beyond staying as it is, for the boxes of one part. */
static void weigh_sheet(const player *p, const sv_state *states, int i, double *out)
{
    const sv_part *part = &p->team->part[i];
    const sv_game *g = part->game;
    const sv_state *s = &states[i];
    int k = part->column[0];
    const double *next = values_at(p, i, p->turn + 1);
    uint32_t playable = sv_playable(g, s->sheet.written);
    double factor = p->team->multiplier[k], value = 0;
    double stay = may_stay(p, i, s) ? sv_value(g, next, s->sheet.lower, s->sheet.upper, s->total) : 0;

    out += (size_t)k * sv_lines((size_t)p->g->outcomes);
    for (int b = 0; b < g->boxes; b++) {
        const sv_box *box = &g->box[b];
        double *o = out + sv_lines((size_t)p->g->box[part->category[b]].outcome);
        if (!has(playable, b))
            continue;
        int pays = sv_pays(g, &s->sheet, b), upper = s->sheet.upper | box->upper_bit;
        double extra = extra_of(p, states, k, part->category[b]);
        for (int j = 0; j < box->outcomes; j++) {
            double points = pays ? g->points[box->outcome + j] : 0;
            int after = s->total + (box->upper_bit ? (int)points : 0);
            double bonus = s->total < g->threshold && after >= g->threshold ? g->upper_bonus : 0;
            if (j < 2 || box->upper_bit)
                value = sv_value(g, next, sv_next_lower(box, s->sheet.lower, pays && j > 0), upper, after);
            o[j * SV_LANES] = factor * ((points + bonus) + (value - stay)) + extra;
        }
    }
}

static void weigh_boxes(const player *p, const sv_state *states, int i, double *out)
{
    const sv_part *part = &p->team->part[i];
    uint32_t written = states[i].sheet.written;
    const double *next = values_at(p, i, p->turn + 1);
    double stay = may_stay(p, i, &states[i]) ? next[written] : 0;

    for (int b = 0; b < part->boxes; b++) {
        int k = part->column[b];
        const sv_box *box = &p->g->box[part->category[b]];
        double *o = out + sv_lines((size_t)(k * p->g->outcomes + box->outcome));
        if (has(written, b))
            continue;
        double value = next[written | (uint32_t)1 << b] - stay + extra_of(p, states, k, part->category[b]);
        for (int j = 0; j < box->outcomes; j++)
            o[j * SV_LANES] = p->team->multiplier[k] * p->g->points[box->outcome + j] + value;
    }
}

/* The outcomes of one game, by column. */
static void weigh_all(const player *p, const sv_state *states, double *out)
{
    const sv_team *team = p->team;
    size_t size = sv_lines((size_t)p->g->outcomes);

    for (size_t o = 0; o < size * (size_t)team->columns; o += SV_LANES)
        out[o] = SV_NEVER;
    for (int i = 0; i < team->parts; i++) {
        if (team->part[i].game)
            weigh_sheet(p, states, i, out);
        else
            weigh_boxes(p, states, i, out);
    }
    for (int k = 0; k < team->columns; k++, out += size)
        for (int b = 0; b < p->g->boxes; b++) {
            double scratch = out[sv_lines((size_t)p->g->box[b].outcome)];
            if (scratch > out[sv_lines(SV_SCRATCH)])
                out[sv_lines(SV_SCRATCH)] = scratch;
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
            double pass = p->may_pass[l] ? p->prices.pass[r] : SV_NEVER;
            rolls[l] += p->prices.write[r];
            rolls[l] = rolls[l] > pass ? rolls[l] : pass;
        }
}

/* The outcomes, of each the best over the columns. */
static double *best_outcomes(const player *p)
{
    return p->r.outcomes + sv_lines((size_t)(p->team->columns * p->g->outcomes));
}

/* Solves the turn of the games in the lanes, as far as `rerolls` to come. */
static void solve_turn(player *p, const sv_state *states, int lanes, int rerolls)
{
    const sv_team *team = p->team;
    const sv_lattice *t = &p->g->lattice;
    size_t size = sv_lines((size_t)p->g->outcomes);
    double *best = best_outcomes(p);
    size_t holds = sv_lines((size_t)t->holds);

    for (int l = 0; l < SV_LANES; l++) {
        const sv_state *own = states + (l < lanes ? l : 0) * team->parts;
        weigh_all(p, own, p->r.outcomes + l);
        p->may_pass[l] = may_stay(p, 0, own);
    }
    best_of_columns(p->r.outcomes, team->columns, size, best);
    sv_write_rolls(t, &p->choices, SV_LANES, best, p->r.x);
    if (team->write)
        price_lanes(p);
    memcpy(p->r.rolls, p->r.x, holds * sizeof *p->r.x);
    for (int i = 1; i <= rerolls; i++) {
        sv_reroll(t, i, p->g->locked, SV_LANES, p->r.x, p->r.scratch);
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
static decision play_dice(const player *p, const sv_dice *dice, int lane, int *roll)
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
        size = 0;
        while (held >= t->first[size + 1])
            size++;
    }
}

/* Writes an outcome; returns the points. */
static double write_outcome(const player *p, sv_state *states, const decision *d)
{
    int i = p->part_of[d->column][d->category], b = p->box_of[d->column][d->category];
    const sv_part *part = &p->team->part[i];
    const sv_game *g = part->game;
    sv_state *s = &states[i];
    double factor = p->team->multiplier[d->column], points = p->g->points[d->outcome];

    s->sheet.written |= (uint32_t)1 << b;
    if (!g)
        return factor * points;
    const sv_box *box = &g->box[b];
    int before = s->total, watched = box->upper_bit ? box->base == 2 : box->base == 3;
    if (!sv_pays(g, &s->sheet, b))
        points = 0;
    s->sheet.lower = sv_next_lower(box, s->sheet.lower, points > 0);
    s->sheet.upper |= box->upper_bit;
    s->sheet.holding |= (uint32_t)(watched && points > 0) << b;
    s->total += box->upper_bit ? (int)points : 0;
    return factor * (points + (before < g->threshold && s->total >= g->threshold ? g->upper_bonus : 0));
}

static void record_position(const player *p, const sv_state *states, double ahead, size_t place,
                            const sv_record *record)
{
    const sv_team *team = p->team;

    if (record->worth)
        record->worth[place] = worth_of_all(p, states, p->turn, 0);
    if (record->ahead)
        record->ahead[place] = ahead + worth_of_all(p, states, p->turn + 1, 1);
    for (int k = 0; record->written && k < team->columns; k++) {
        uint32_t written = 0;
        for (int b = 0; b < p->g->boxes; b++)
            written |= (uint32_t)has(states[p->part_of[k][b]].sheet.written, p->box_of[k][b]) << b;
        record->written[place * (size_t)team->columns + (size_t)k] = written;
    }
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
static void play_block(player *p, uint64_t seed, uint64_t first, int lanes, sv_state *states, double *points,
                       size_t place, const sv_tally *tally, const sv_record *record)
{
    const sv_team *team = p->team;
    const sv_lattice *t = &p->g->lattice;
    size_t turn = (size_t)p->turn, rolls = (size_t)(t->holds - t->first[t->dice]);
    double ahead[SV_LANES] = {0};

    solve_turn(p, states, lanes, p->g->rolls - 1);
    if (record->ahead)
        sv_first_roll(t, &p->choices, p->g->rolls - 1, SV_LANES, best_outcomes(p), p->r.x, ahead);
    if (tally->shadow)
        cast_shadow(p, lanes, tally->shadow + turn * rolls);
    for (int l = 0; l < lanes; l++) {
        sv_state *own = states + l * team->parts;
        sv_dice dice = {seed, first + (uint64_t)l, (uint32_t)p->turn};
        int roll;
        decision d = play_dice(p, &dice, l, &roll);
        double gained = 0;
        if (record->written || record->worth || record->ahead)
            record_position(p, own, ahead[l], (place + (size_t)l) * (size_t)team->turns + turn, record);
        if (d.category >= 0)
            gained = write_outcome(p, own, &d);
        points[l] += gained;
        if (record->gained)
            record->gained[(place + (size_t)l) * (size_t)team->turns + turn] = gained;
        if (tally->finals)
            tally->finals[turn * rolls + (size_t)roll]++;
        if (tally->writes && d.category >= 0)
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
}

void sv_play_team(const sv_team *team, uint64_t seed, uint64_t first, size_t n, int turn, int end, sv_state *states,
                  double *points, const sv_tally *tally, const sv_record *record, double *memory)
{
    player p = begin_play(team, memory);
    for (; turn < end; turn++) {
        enter_turn(&p, turn);
        for (size_t i = 0; i < n; i += SV_LANES) {
            int lanes = n - i < SV_LANES ? (int)(n - i) : SV_LANES;
            play_block(&p, seed, first + i, lanes, states + i * (size_t)team->parts, points + i, i, tally, record);
        }
    }
}

double sv_team_turn(const sv_team *team, int turn, const sv_state *states, int rerolls, double *holds,
                    double *outcomes, double *memory)
{
    player p = begin_play(team, memory);
    int n = team->columns * p.g->outcomes;

    enter_turn(&p, turn);
    solve_turn(&p, states, 1, rerolls);
    for (int h = 0; h < p.g->lattice.holds; h++)
        holds[h] = p.r.x[sv_lines((size_t)h)];
    for (int o = 0; o < n; o++)
        outcomes[o] = p.r.outcomes[sv_lines((size_t)o)];
    return worth_of_all(&p, states, turn + 1, 1);
}
