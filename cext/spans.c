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

int sv_span_sources(const sv_game *g, const sv_aim *aim, const sv_sheet *s, int lane, sv_span_source *list)
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
            int to = sv_next_lane(g, s->upper, lane, box, points, &bonus);
            int64_t lower = sv_next_lower(box, s->lower, k > 0);
            sv_span_source *out = &list[n++];
            out->outcome = box->outcome + k;
            out->shift = points + bonus;
            out->scratch = k == 0 && (!aim->strict || !pays);
            out->row = lower * g->slots + g->slot[s->upper | box->upper_bit] + to;
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

void sv_place_sources(const sv_spans *spans, const int32_t *index, int64_t begin, int64_t step, sv_span_source *list,
                      int n)
{
    for (int i = 0; i < n; i++) {
        int64_t at = begin + step * (index ? index[list[i].row] : list[i].row);
        list[i].low = spans->low[at];
        list[i].width = spans->width[at];
        list[i].start = spans->start[at];
    }
}

int sv_source_bounds(const sv_span_source *list, int n, int *low)
{
    int first = INT32_MAX, last = INT32_MIN;

    for (int i = 0; i < n; i++) {
        int begin = list[i].low + list[i].shift, end = begin + list[i].width - 1;
        first = begin < first ? begin : first;
        last = end > last ? end : last;
    }
    *low = first;
    return last - first + 1;
}

SV_INLINE double value_at(const sv_spans *spans, int64_t place)
{
    return sv_number(spans->values, spans->is_float, place);
}

#define REAL double
#define LANES SV_LANES
#define STEP(x) sv_##x
#define NAME(x) x##_doubles
#include "spans_lanes.h"
#undef REAL
#undef LANES
#undef STEP
#undef NAME
#define REAL float
#define LANES SV_FLOATS
#define STEP(x) sv_##x##_f
#define NAME(x) x##_floats
#include "spans_lanes.h"

void sv_load_spans(const sv_spans *spans, const sv_aim *aim, const sv_span_source *list, int n, const int *needs,
                   double *outcomes)
{
    fill_doubles(aim->win, outcomes + SV_WIN * SV_LANES);
    fill_doubles(-INFINITY, outcomes + SV_SCRATCH * SV_LANES);
    for (int i = 0; i < n; i++) {
        double *out = outcomes + (size_t)list[i].outcome * SV_LANES;
        for (int l = 0; l < SV_LANES; l++)
            out[l] = value_at(spans, list[i].start + sv_clamp(needs[l] - list[i].shift - list[i].low, 0, list[i].width - 1));
        if (list[i].scratch)
            raise_to_doubles(out, outcomes + SV_SCRATCH * SV_LANES);
    }
}

int sv_span_bounds(const sv_game *g, const sv_spans *spans, const sv_aim *aim, int64_t lower, int upper, int lane,
                   int *low, double *memory)
{
    sv_span_source *list = (sv_span_source *)memory;
    sv_sheet s = sv_sheet_of(g, lower, upper);
    int n = sv_span_sources(g, aim, &s, lane, list), first, last;

    sv_place_sources(spans, NULL, 0, 1, list, n);
    last = sv_source_bounds(list, n, &first);
    last += first - 1;
    if (aim->top >= 0) { /* only needs that points on such a sheet can leave */
        int rest, all, settled = lane == g->live[upper], total = settled ? 0 : g->lane_low[upper] + lane;
        sv_most_points(g, lower, upper, &rest, &all);
        int most = aim->top - (settled ? all : total + rest), least = aim->top - total;
        first = sv_clamp(most, first, last);
        last = sv_clamp(least, first, last);
    }
    *low = first;
    return last - first + 1;
}

/* Doubles that hold a source for every outcome. */
static size_t source_room(const sv_game *g)
{
    return sizeof(sv_span_source) * sv_span_outcomes(g) / sizeof(double) + 1;
}

size_t sv_span_memory(const sv_game *g)
{
    return source_room(g) + SV_LANES + sv_lines(2 * (size_t)g->lattice.holds + sv_span_outcomes(g));
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

void sv_solve_needs(const sv_game *g, const sv_spans *spans, const sv_aim *aim, const sv_choices *choices,
                    const sv_span_source *list, int n, int low, int width, double *row, double *room)
{
    if (spans->is_float)
        solve_floats(g, spans, aim, choices, list, n, low, width, row, (float *)room);
    else
        solve_doubles(g, spans, aim, choices, list, n, low, width, row, room);
}

void sv_solve_span(const sv_game *g, const sv_spans *spans, const sv_aim *aim, int64_t lower, int upper, int lane,
                   int low, int width, double *row, double *memory)
{
    sv_span_source *sources = (sv_span_source *)memory;
    double *room = sv_aligned(memory + source_room(g));
    sv_sheet s = sv_sheet_of(g, lower, upper);
    sv_choices choices;

    sv_span_choose(g, &s, aim, &choices);
    int n = sv_span_sources(g, aim, &s, lane, sources);
    sv_place_sources(spans, NULL, 0, 1, sources, n);
    sv_solve_needs(g, spans, aim, &choices, sources, n, low, width, row, room);
    if (aim->top < 0) {
        settle(spans, aim, &choices, sources, n, 0, &row[0]);
        settle(spans, aim, &choices, sources, n, 1, &row[width - 1]);
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
