#include "spans.h"

#include "portable.h"

#include <math.h>
#include <string.h>

size_t sv_span_outcomes(const sv_game *g)
{
    return 2 * (size_t)g->outcomes;
}

void sv_span_choose(const sv_game *g, const sv_sheet *s, const sv_aim *aim, sv_choices *c)
{
    sv_choose(g, s, aim->strict, c);
    for (int i = 0; i < c->n_special; i++) {
        sv_special *special = &c->special[i];
        if (special->bonus == 0)
            continue;
        for (int j = 0; j < special->n; j++)
            special->outcomes[j] = (uint16_t)(special->outcomes[j] + g->outcomes);
        for (int j = 0; j < special->n_served; j++)
            special->served_outcomes[j] = (uint16_t)(special->served_outcomes[j] + g->outcomes);
        special->bonus = 0;
    }
}

/* The lane of the upper total after `points` more, and the upper bonus if they earn it. */
static int next_lane(const sv_game *g, const sv_sheet *s, const sv_box *box, int lane, int points, int *bonus)
{
    int upper = s->upper | box->upper_bit, total, after;

    *bonus = 0;
    if (lane == g->live[s->upper])
        return g->live[upper];
    total = g->lane_low[s->upper] + lane;
    after = box->upper_bit ? total + points : total;
    if (after >= g->threshold)
        *bonus = (int)g->upper_bonus;
    if (after < g->lane_low[upper] || after >= g->lane_low[upper] + g->live[upper])
        return g->live[upper];
    return after - g->lane_low[upper];
}

int sv_span_sources(const sv_game *g, const sv_spans *spans, const sv_aim *aim, const sv_sheet *s, int lane,
                    sv_span_source *list)
{
    uint32_t playable = sv_playable(g, s->written);
    int fives = g->five >= 0 && g->five_bonus > 0 && (s->holding >> g->five & 1), n = 0;

    for (int b = 0; b < g->boxes; b++) {
        const sv_box *box = &g->box[b];
        int pays = sv_pays(g, s, b), outcomes = pays ? box->outcomes : 1;
        if (!(playable >> b & 1))
            continue;
        for (int k = 0; k < outcomes; k++) {
            int points = (int)g->points[box->outcome + k], bonus;
            int to = next_lane(g, s, box, lane, points, &bonus);
            int64_t lower = sv_next_lower(box, s->lower, k > 0);
            int64_t row = lower * g->slots + g->slot[s->upper | box->upper_bit] + to;
            sv_span_source *out = &list[n++];
            out->outcome = box->outcome + k;
            out->shift = points + bonus;
            out->scratch = k == 0 && (!aim->strict || !pays);
            out->low = spans->low[row];
            out->width = spans->width[row];
            out->start = spans->start[row];
            if (fives) {
                list[n] = *out;
                list[n].outcome += g->outcomes;
                list[n].shift += (int)g->five_bonus;
                list[n++].scratch = 0;
            }
        }
    }
    return n;
}

static int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

/* Eight values in a row become doubles. */
SV_INLINE void widen(const float *restrict in, double *restrict out)
{
    for (int l = 0; l < SV_LANES; l++)
        out[l] = in[l];
}

SV_INLINE double value_at(const sv_spans *spans, int64_t place)
{
    return spans->is_float ? ((const float *)spans->values)[place] : ((const double *)spans->values)[place];
}

SV_INLINE void fill(double value, double *restrict out)
{
    for (int l = 0; l < SV_LANES; l++)
        out[l] = value;
}

SV_INLINE void raise_to(const double *restrict in, double *restrict out)
{
    for (int l = 0; l < SV_LANES; l++)
        out[l] = in[l] > out[l] ? in[l] : out[l];
}

/* The values of one source for eight needs in a row from `need` on. */
SV_INLINE void load_row(const sv_spans *spans, const sv_span_source *s, int need, double *out)
{
    int at = need - s->shift - s->low;

    if (at + SV_LANES <= 1) {
        fill(value_at(spans, s->start), out);
    } else if (at >= s->width - 1) {
        fill(value_at(spans, s->start + s->width - 1), out);
    } else if (at >= 0 && at + SV_LANES <= s->width) {
        if (spans->is_float)
            widen((const float *)spans->values + s->start + at, out);
        else
            memcpy(out, (const double *)spans->values + s->start + at, SV_LANES * sizeof *out);
    } else {
        for (int l = 0; l < SV_LANES; l++)
            out[l] = value_at(spans, s->start + clamp(at + l, 0, s->width - 1));
    }
}

SV_CLONES
static void load_rows(const sv_spans *spans, const sv_aim *aim, const sv_span_source *list, int n, int need,
                      double *outcomes)
{
    fill(aim->win, outcomes + SV_WIN * SV_LANES);
    fill(-INFINITY, outcomes + SV_SCRATCH * SV_LANES);
    for (int i = 0; i < n; i++) {
        double *out = outcomes + (size_t)list[i].outcome * SV_LANES;
        load_row(spans, &list[i], need, out);
        if (list[i].scratch)
            raise_to(out, outcomes + SV_SCRATCH * SV_LANES);
    }
}

void sv_load_spans(const sv_spans *spans, const sv_aim *aim, const sv_span_source *list, int n, const int *needs,
                   double *outcomes)
{
    fill(aim->win, outcomes + SV_WIN * SV_LANES);
    fill(-INFINITY, outcomes + SV_SCRATCH * SV_LANES);
    for (int i = 0; i < n; i++) {
        double *out = outcomes + (size_t)list[i].outcome * SV_LANES;
        for (int l = 0; l < SV_LANES; l++)
            out[l] = value_at(spans, list[i].start + clamp(needs[l] - list[i].shift - list[i].low, 0, list[i].width - 1));
        if (list[i].scratch)
            raise_to(out, outcomes + SV_SCRATCH * SV_LANES);
    }
}

int sv_span_bounds(const sv_game *g, const sv_spans *spans, const sv_aim *aim, int64_t lower, int upper, int lane,
                   int *low, double *memory)
{
    sv_span_source *list = (sv_span_source *)memory;
    sv_sheet s = sv_sheet_of(g, lower, upper);
    int n = sv_span_sources(g, spans, aim, &s, lane, list), first = INT32_MAX, last = INT32_MIN;

    for (int i = 0; i < n; i++) {
        int begin = list[i].low + list[i].shift, end = begin + list[i].width - 1;
        first = begin < first ? begin : first;
        last = end > last ? end : last;
    }
    if (aim->top >= 0) { /* only needs that points on such a sheet can leave */
        int rest, all, settled = lane == g->live[upper], total = settled ? 0 : g->lane_low[upper] + lane;
        sv_most_points(g, lower, upper, &rest, &all);
        int most = aim->top - (settled ? all : total + rest), least = aim->top - total;
        first = clamp(most, first, last);
        last = clamp(least, first, last);
    }
    *low = first;
    return last - first + 1;
}

/* The parts of the working memory. */
typedef struct {
    double *x, *scratch, *outcomes;
    sv_span_source *sources;
} workspace;

static workspace lay_out(const sv_game *g, double *memory)
{
    workspace w;
    w.x = sv_aligned(memory);
    w.scratch = w.x + sv_lines((size_t)g->lattice.holds);
    w.outcomes = w.scratch + sv_lines((size_t)g->lattice.holds);
    w.sources = (sv_span_source *)(w.outcomes + sv_lines(sv_span_outcomes(g)));
    return w;
}

size_t sv_span_memory(const sv_game *g)
{
    size_t rows = 2 * (size_t)g->lattice.holds + sv_span_outcomes(g);
    size_t sources = sizeof(sv_span_source) * sv_span_outcomes(g) / sizeof(double) + 1;
    return SV_LANES + sv_lines(rows) + sources;
}

/* Where every source has one and the same value at its first (or last) place, so has the turn, to the last bit. */
static void settle(const sv_spans *spans, const sv_aim *aim, const sv_choices *c, const sv_span_source *list, int n,
                   int last, double *value)
{
    double first = value_at(spans, list[0].start + (last ? list[0].width - 1 : 0));

    for (int i = 1; i < n; i++)
        if (value_at(spans, list[i].start + (last ? list[i].width - 1 : 0)) != first)
            return;
    if (c->win.n == 0 || aim->win <= first)
        *value = first;
}

void sv_solve_span(const sv_game *g, const sv_spans *spans, const sv_aim *aim, int64_t lower, int upper, int lane,
                   int low, int width, double *row, double *memory)
{
    const sv_lattice *t = &g->lattice;
    workspace w = lay_out(g, memory);
    sv_sheet s = sv_sheet_of(g, lower, upper);
    double value[SV_LANES];
    sv_choices choices;

    sv_span_choose(g, &s, aim, &choices);
    int n = sv_span_sources(g, spans, aim, &s, lane, w.sources);
    for (int first = 0; first < width; first += SV_LANES) {
        int lanes = width - first < SV_LANES ? width - first : SV_LANES;
        load_rows(spans, aim, w.sources, n, low + first, w.outcomes);
        sv_write_rolls(t, &choices, lanes, w.outcomes, w.x);
        for (int r = 1; r < g->rolls; r++)
            sv_reroll(t, r, g->locked, lanes, w.x, w.scratch);
        sv_first_roll(t, &choices, g->rolls - 1, lanes, w.outcomes, w.x, value);
        memcpy(row + first, value, (size_t)lanes * sizeof *value);
    }
    if (aim->top < 0) {
        settle(spans, aim, &choices, w.sources, n, 0, &row[0]);
        settle(spans, aim, &choices, w.sources, n, 1, &row[width - 1]);
    }
}

int sv_trim_span(double *row, int width, double margin, int *begin)
{
    int first = 0, last = width - 1;

    while (first < last && fabs(row[first + 1] - row[0]) <= margin)
        first++;
    while (last > first && fabs(row[last - 1] - row[width - 1]) <= margin)
        last--;
    row[first] = row[0];
    row[last] = row[width - 1];
    *begin = first;
    return last - first + 1;
}
