#include "spread.h"

#include "portable.h"

#include <stdlib.h>

/* The most points there can be outside the upper total, and in all. */
static void widths(const sv_game *g, int64_t lower, int upper, int *rest, int *all)
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

int sv_mass_open(const sv_game *g, sv_mass *mass, int64_t lower, int upper)
{
    if (mass->chance != NULL)
        return 0;
    widths(g, lower, upper, &mass->width, &mass->settled_width);
    mass->width++;
    mass->settled_width++;
    mass->chance = calloc((size_t)g->live[upper] * (size_t)mass->width + (size_t)mass->settled_width, sizeof(double));
    return mass->chance == NULL ? -1 : 0;
}

/* The chances of one lane, from the first that is not 0 to the last. */
typedef struct {
    const double *chance;
    int begin, end;
    double sum;
} lane_mass;

static lane_mass find_mass(const sv_game *g, const sv_mass *mass, int upper, int lane)
{
    int settled = lane == g->live[upper];
    lane_mass m = {mass->chance + (size_t)lane * (size_t)mass->width, 0, settled ? mass->settled_width : mass->width, 0};

    while (m.begin < m.end && m.chance[m.begin] == 0)
        m.begin++;
    while (m.end > m.begin && m.chance[m.end - 1] == 0)
        m.end--;
    for (int i = m.begin; i < m.end; i++)
        m.sum += m.chance[i];
    return m;
}

SV_CLONES
static void add_shifted(const lane_mass *m, double weight, double *restrict to)
{
    const double *restrict from = m->chance + m->begin;
    int n = m->end - m->begin;
    for (int i = 0; i < n; i++)
        to[i] += weight * from[i];
}

/* Adds a lane's chances, times `weight`, to where `points` in `box` (and `bonus`) lead. */
static int move_on(const sv_game *g, const sv_sheet *s, int lane, const lane_mass *m, double weight, int b, int k,
                   int bonus, sv_mass *mass)
{
    const sv_box *box = &g->box[b];
    int points = (int)g->points[box->outcome + k], upper = s->upper | box->upper_bit;
    int64_t lower = sv_next_lower(box, s->lower, k > 0);
    sv_mass *to = &mass[lower * g->uppers + upper];
    int paid, into = sv_next_lane(g, s->upper, lane, box, points, &paid), shift = points + bonus + paid;

    if (sv_mass_open(g, to, lower, upper) < 0)
        return -1;
    /* a live lane tells the upper total itself: what goes there leaves the points apart, or adds them to the others */
    if (lane < g->live[s->upper] && box->upper_bit)
        shift = into < g->live[upper] ? bonus : shift + g->lane_low[s->upper] + lane;
    add_shifted(m, weight, to->chance + (size_t)into * (size_t)to->width + m->begin + shift);
    return 0;
}

/* One lane's chances go where its outcomes lead. `weight` has a row per outcome, those with the bonus after the others. */
static int spread_lane(const sv_game *g, const sv_sheet *s, int lane, const lane_mass *m, const double *weight,
                       sv_mass *mass, double *ended, double *tally)
{
    uint32_t playable = sv_playable(g, s->written);
    size_t with_bonus = sv_lines((size_t)g->outcomes);
    int settled = lane == g->live[s->upper];

    if (weight[sv_lines(SV_WIN)] > 0) {
        int shift = (int)g->win_points + (settled ? 0 : g->lane_low[s->upper] + lane);
        add_shifted(m, weight[sv_lines(SV_WIN)], ended + m->begin + shift);
        tally[SV_WIN] += weight[sv_lines(SV_WIN)] * m->sum;
    }
    for (int b = 0; b < g->boxes; b++) {
        if (!(playable >> b & 1))
            continue;
        for (int k = 0; k < g->box[b].outcomes; k++) {
            size_t o = (size_t)g->box[b].outcome + (size_t)k;
            for (int five = 0; five < 2; five++) {
                double w = weight[sv_lines(o) + (five ? with_bonus : 0)];
                if (w <= 0)
                    continue;
                if (move_on(g, s, lane, m, w, b, k, five ? (int)g->five_bonus : 0, mass) < 0)
                    return -1;
                tally[o + (five ? (size_t)g->outcomes : 0)] += w * m->sum;
            }
        }
    }
    return 0;
}

int sv_spread(const sv_game *g, const double *values, int64_t lower, int upper, sv_mass *mass, double *ended,
              double *tally, double *memory)
{
    sv_mass *own = &mass[lower * g->uppers + upper];
    sv_sheet s = sv_sheet_of(g, lower, upper);
    double *weights = sv_aligned(memory);
    int lanes[SV_LANES], n = 0, failed = 0;
    lane_mass m[SV_LANES];

    /* lanes that optimal play leads to lie scattered: they are put together, eight to a block */
    for (int lane = 0; lane <= g->live[upper] && !failed; lane++) {
        m[n] = find_mass(g, own, upper, lane);
        if (m[n].begin < m[n].end)
            lanes[n++] = lane;
        if (n == 0 || (n < SV_LANES && lane < g->live[upper]))
            continue;
        for (int l = n; l < SV_LANES; l++)
            lanes[l] = lanes[0];
        sv_forward(g, values, lower, upper, lanes, -1, 0, weights, weights + sv_lines(2 * (size_t)g->outcomes));
        for (int l = 0; l < n && !failed; l++)
            failed = spread_lane(g, &s, lanes[l], &m[l], weights + l, mass, ended, tally);
        n = 0;
    }
    free(own->chance);
    own->chance = NULL;
    return failed;
}

size_t sv_spread_memory(const sv_game *g)
{
    return SV_LANES + sv_lines(2 * (size_t)g->outcomes) + sv_forward_memory(g);
}
