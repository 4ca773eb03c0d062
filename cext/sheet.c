#include "sheet.h"

#include "portable.h"

#include <math.h>
#include <string.h>

sv_sheet sv_sheet_of(const sv_game *g, int64_t lower, int upper)
{
    sv_sheet s = {lower, upper, g->begun, g->begun_holding};
    for (int b = 0; b < g->boxes; b++) {
        const sv_box *box = &g->box[b];
        int digit = (int)(lower / box->stride % box->base);
        int written = box->upper_bit ? (upper & box->upper_bit) != 0 : digit > 0;
        int holding = box->upper_bit ? digit == 1 : digit == 2;
        s.written |= (uint32_t)written << b;
        s.holding |= (uint32_t)holding << b;
    }
    return s;
}

uint32_t sv_playable(const sv_game *g, uint32_t written)
{
    uint32_t open = ~written & (((uint32_t)1 << g->boxes) - 1);
    if (open == 0 || g->order == 0)
        return open;
    if (g->order > 0)
        return open & (~open + 1);
    while (open & (open - 1))
        open &= open - 1;
    return open;
}

int sv_pays(const sv_game *g, const sv_sheet *s, int b)
{
    int required = g->box[b].requires;
    return required < 0 || (s->holding >> required & 1);
}

static int has(uint32_t boxes, int b)
{
    return boxes >> b & 1;
}

/* All dice show `face` and the box for that is written: may only these boxes be written, and is it as a joker? */
static uint32_t joker_boxes(const sv_game *g, uint32_t playable, int face)
{
    int own = g->face_box[face];
    if (g->joker != SV_JOKER_FORCED)
        return playable;
    if (own >= 0 && has(playable, own))
        return (uint32_t)1 << own;
    return playable & ~g->face_boxes ? playable & ~g->face_boxes : playable;
}

static int counts_as_joker(const sv_game *g, const sv_sheet *s, int b, int face)
{
    int own = g->face_box[face];
    if (g->joker == SV_JOKER_NONE || !g->box[b].fixed)
        return 0;
    return g->joker == SV_JOKER_FORCED || own < 0 || has(s->written, own);
}

static int special_face(const sv_game *g, const sv_sheet *s, int roll)
{
    if (g->five >= 0 && has(s->written, g->five))
        for (int f = 0; f < SV_FACES; f++)
            if (g->alike[f] == roll)
                return f;
    return -1;
}

int sv_writes(const sv_game *g, const sv_sheet *s, int roll, int served, sv_write *writes, double *bonus)
{
    uint32_t boxes = sv_playable(g, s->written);
    int face = special_face(g, s, roll), n = 0;

    *bonus = 0;
    if (face >= 0) {
        boxes = joker_boxes(g, boxes, face);
        served = served && g->joker == SV_JOKER_NONE;
        if (has(s->holding, g->five))
            *bonus = g->five_bonus;
    }
    for (int b = 0; b < g->boxes; b++) {
        const sv_box *box = &g->box[b];
        int outcome = 0;
        if (!has(boxes, b))
            continue;
        if (sv_pays(g, s, b)) {
            if (face >= 0 && counts_as_joker(g, s, b, face))
                outcome = box->joker[face];
            else
                outcome = served ? box->served[roll] : box->ordinary[roll];
        }
        writes[n].box = b;
        writes[n++].outcome = box->outcome + outcome;
    }
    return n;
}

int sv_can_win(const sv_game *g, const sv_sheet *s)
{
    return g->win_box >= 0 && (!has(s->written, g->win_box) || has(s->holding, g->win_box));
}

static void choose_special(const sv_game *g, const sv_sheet *s, int face, sv_special *special)
{
    sv_write writes[SV_MAX_BOXES];
    int roll = g->alike[face], n;

    special->roll = (uint16_t)roll;
    n = sv_writes(g, s, roll, 0, writes, &special->bonus);
    special->n = (uint16_t)n;
    for (int i = 0; i < n; i++)
        special->outcomes[i] = (uint16_t)writes[i].outcome;
    n = sv_writes(g, s, roll, 1, writes, &special->bonus);
    special->n_served = (uint16_t)n;
    for (int i = 0; i < n; i++)
        special->served_outcomes[i] = (uint16_t)writes[i].outcome;
}

void sv_add_boxes(const sv_game *g, const sv_sheet *s, int strict, int special, sv_choices *c)
{
    uint32_t playable = sv_playable(g, s->written);

    for (int b = 0; b < g->boxes; b++) {
        const sv_box *box = &g->box[b];
        if (!has(playable, b))
            continue;
        c->scratch[c->n] = (uint16_t)box->outcome;
        c->scored[c->n].n = c->served[c->n].n = 0;
        if (sv_pays(g, s, b)) {
            c->scored[c->n] = strict ? box->every : box->scored;
            c->served[c->n] = strict ? box->every_served : box->first_roll;
            if (special && !strict)
                c->served[c->n].n = box->first_roll_plain;
        }
        c->n++;
    }
}

void sv_choose(const sv_game *g, const sv_sheet *s, int strict, sv_choices *c)
{
    int special = g->five >= 0 && has(s->written, g->five);

    c->strict = strict;
    c->n = c->n_special = c->win.n = 0;
    sv_add_boxes(g, s, strict, special, c);
    if (sv_can_win(g, s))
        c->win = g->win;
    if (special)
        for (int f = 0; f < SV_FACES; f++)
            choose_special(g, s, f, &c->special[c->n_special++]);
}

int64_t sv_next_lower(const sv_box *box, int64_t lower, int makes_points)
{
    if (box->upper_bit)
        return lower + (box->base == 2 && makes_points ? box->stride : 0);
    return lower + (box->base == 3 && makes_points ? 2 * box->stride : box->stride);
}

int sv_next_lane(const sv_game *g, int upper, int lane, const sv_box *box, int points, int *paid)
{
    int next = upper | box->upper_bit, live = g->live[next];

    *paid = 0;
    if (lane == g->live[upper])
        return live;
    if (!box->upper_bit)
        return lane;
    int total = g->lane_low[upper] + lane + points, to = total - g->lane_low[next];
    if (total >= g->threshold)
        *paid = (int)g->upper_bonus;
    return total < g->threshold && to >= 0 && to < live ? to : live;
}

double sv_value(const sv_game *g, const double *values, int64_t lower, int upper, int total)
{
    const double *row = values + lower * g->slots + g->slot[upper];
    int lane = total - g->lane_low[upper];
    return row[lane >= 0 && lane < g->live[upper] ? lane : g->live[upper]];
}

void sv_most_points(const sv_game *g, int64_t lower, int upper, int *rest, int *all)
{
    sv_sheet s = sv_sheet_of(g, lower, upper);
    int written = 0;

    *rest = 0;
    *all = (int)g->upper_bonus;
    for (int b = 0; b < g->boxes; b++) {
        const sv_box *box = &g->box[b];
        int most = (int)g->points[box->outcome + box->outcomes - 1];
        if (!(s.written >> b & 1))
            continue;
        written++;
        if (box->upper_bit)
            *all += most;
        else if (box->base < 3 || s.holding >> b & 1)
            *rest += most;
    }
    if (g->five >= 0 && s.holding >> g->five & 1)
        *rest += (int)g->five_bonus * (written - 1);
    *all += *rest;
}

/* What `points` more under the bonus make of the lanes of `upper`: out[lane], the bonus paid when it is reached.
 * In order of the total, lanes go out of reach, stay live, or reach the threshold. */
static void shifted(const sv_game *g, const double *values, int64_t lower, int from, int to, int points, double *out)
{
    const double *row = values + lower * g->slots + g->slot[to];
    int live = g->live[from], low = g->lane_low[from] + points;
    int begin = sv_clamp(g->lane_low[to] - low, 0, live);
    int end = sv_clamp(g->lane_low[to] + g->live[to] - low, begin, live);
    int reached = sv_clamp(g->threshold - low, end, live);
    double settled = row[g->live[to]], paid = settled + g->multiplier * g->upper_bonus;

    for (int lane = 0; lane < begin; lane++)
        out[lane] = settled;
    if (end > begin)
        memcpy(out + begin, row + (low + begin - g->lane_low[to]), (size_t)(end - begin) * sizeof *out);
    for (int lane = end; lane < reached; lane++)
        out[lane] = settled;
    for (int lane = reached; lane < live; lane++)
        out[lane] = paid;
    out[live] = settled;
}

void sv_outcomes(const sv_game *g, const double *values, const sv_sheet *s, int total, double *outcomes)
{
    uint32_t playable = sv_playable(g, s->written);
    int first = 1;

    outcomes[SV_WIN * SV_LANES] = g->win_points;
    for (int b = 0; b < g->boxes; b++) {
        const sv_box *box = &g->box[b];
        double *out = outcomes + (size_t)box->outcome * SV_LANES;
        int n = sv_pays(g, s, b) ? box->outcomes : 1;
        if (!has(playable, b))
            continue;
        for (int k = 0; k < n; k++) {
            double points = g->points[box->outcome + k];
            int64_t lower = sv_next_lower(box, s->lower, k > 0);
            int after = box->upper_bit ? total + (int)points : total;
            double bonus = total < g->threshold && after >= g->threshold ? g->upper_bonus : 0;
            double value = sv_value(g, values, lower, s->upper | box->upper_bit, after);
            out[k * SV_LANES] = points + (bonus + value);
        }
        if (first || out[0] > outcomes[SV_SCRATCH])
            outcomes[SV_SCRATCH] = out[0];
        first = 0;
    }
}

size_t sv_row_lanes(const sv_game *g)
{
    size_t most = 0;
    for (int u = 0; u < g->uppers; u++)
        if ((size_t)g->live[u] + 1 > most)
            most = (size_t)g->live[u] + 1;
    return most;
}

size_t sv_row_memory(const sv_game *g)
{
    size_t rows = 2 * (size_t)g->lattice.holds + (size_t)g->outcomes;
    return SV_LANES + rows * SV_LANES + (size_t)g->outcomes * sv_row_lanes(g) + sizeof(sv_source) * (size_t)g->outcomes / sizeof(double);
}

int sv_list_sources(const sv_game *g, const double *values, const sv_sheet *s, sv_source *list, double *room)
{
    uint32_t playable = sv_playable(g, s->written);
    int n = 0;

    for (int b = 0; b < g->boxes; b++) {
        const sv_box *box = &g->box[b];
        int outcomes = sv_pays(g, s, b) ? box->outcomes : 1;
        if (!has(playable, b))
            continue;
        for (int k = 0; k < outcomes; k++) {
            int64_t lower = sv_next_lower(box, s->lower, k > 0);
            sv_source *out = &list[n++];
            out->outcome = box->outcome + k;
            out->points = g->multiplier * g->points[out->outcome];
            out->values = values + lower * g->slots + g->slot[s->upper];
            if (box->upper_bit) {
                int points = (int)g->points[out->outcome];
                shifted(g, values, lower, s->upper, s->upper | box->upper_bit, points, room);
                out->values = room;
                room += g->live[s->upper] + 1;
            }
        }
    }
    return n;
}

SV_CLONES
void sv_gather_outcomes(const sv_game *g, const sv_source *list, int sources, const int *lanes, int n,
                        double *outcomes)
{
    double *scratch = outcomes + sv_lines(SV_SCRATCH);
    int64_t lane[SV_LANES];

    for (int l = 0; l < SV_LANES; l++) {
        outcomes[sv_lines(SV_WIN) + (size_t)l] = g->win_points;
        scratch[l] = -INFINITY;
        lane[l] = lanes[l < n ? l : 0];
    }
    for (int i = 0; i < sources; i++) {
        double *out = outcomes + sv_lines((size_t)list[i].outcome), points = list[i].points;
        const double *values = list[i].values;
        if (lane[SV_LANES - 1] - lane[0] == SV_LANES - 1) /* neighbours, as they often are */
            for (int l = 0; l < SV_LANES; l++)
                out[l] = points + values[lane[0] + l];
        else
            for (int l = 0; l < SV_LANES; l++)
                out[l] = points + values[lane[l]];
        if (points == 0)
            for (int l = 0; l < SV_LANES; l++)
                scratch[l] = scratch[l] > out[l] ? scratch[l] : out[l];
    }
}

/* The lanes first .. first + lanes - 1 of every outcome in use; outcome 0 becomes the best of the scratches. */
SV_CLONES
static void load_outcomes(const sv_game *g, const sv_source *list, int n, int first, int lanes, double *outcomes)
{
    double *scratch = outcomes + SV_SCRATCH * SV_LANES;
    int begun = 0;

    for (int l = 0; l < SV_LANES; l++)
        outcomes[SV_WIN * SV_LANES + l] = g->win_points;
    for (int i = 0; i < n; i++) {
        double *out = outcomes + (size_t)list[i].outcome * SV_LANES;
        const double *in = list[i].values + first;
        double points = list[i].points;
        if (lanes == SV_LANES) {
            for (int l = 0; l < SV_LANES; l++)
                out[l] = points + in[l];
        } else {
            for (int l = 0; l < SV_LANES; l++)
                out[l] = points + in[l < lanes ? l : 0];
        }
        if (points != 0)
            continue;
        for (int l = 0; l < SV_LANES; l++)
            scratch[l] = begun && scratch[l] > out[l] ? scratch[l] : out[l];
        begun = 1;
    }
}

void sv_solve_lanes(const sv_game *g, const sv_choices *choices, const sv_source *list, int n, int lanes, double *row,
                    double *memory)
{
    const sv_lattice *t = &g->lattice;
    double *x = memory, *scratch = x + sv_lines((size_t)t->holds), *outcomes = scratch + sv_lines((size_t)t->holds);
    double value[SV_LANES];

    for (int first = 0; first < lanes; first += SV_LANES) {
        int some = lanes - first < SV_LANES ? lanes - first : SV_LANES;
        load_outcomes(g, list, n, first, some, outcomes);
        sv_write_rolls(t, choices, some, outcomes, x);
        for (int r = 1; r < g->rolls; r++)
            sv_reroll(t, r, g->locked, some, x, scratch);
        sv_first_roll(t, choices, g->rolls - 1, some, outcomes, x, value);
        memcpy(row + first, value, (size_t)some * sizeof *value);
    }
}

void sv_solve_row(const sv_game *g, double *values, int64_t lower, int upper, double *memory)
{
    double *x = sv_aligned(memory), *room = x + sv_lines(2 * (size_t)g->lattice.holds + (size_t)g->outcomes);
    sv_source *list = (sv_source *)(room + (size_t)g->outcomes * sv_row_lanes(g));
    double *row = values + lower * g->slots + g->slot[upper];
    int lanes = g->live[upper] + 1;
    sv_sheet s = sv_sheet_of(g, lower, upper);
    sv_choices choices;

    if (sv_playable(g, s.written) == 0) {
        memset(row, 0, (size_t)lanes * sizeof *row);
        return;
    }
    sv_choose(g, &s, 0, &choices);
    int n = sv_list_sources(g, values, &s, list, room);
    sv_solve_lanes(g, &choices, list, n, lanes, row, x);
}
