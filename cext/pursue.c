#include "pursue.h"

#include "forward.h"

#include <stdlib.h>

/* The upper total that a lane stands for; 0 where it is settled, and all points count alike. */
static int lane_total(const sv_game *g, int upper, int lane)
{
    return lane == g->live[upper] ? 0 : g->lane_low[upper] + lane;
}

static int64_t row_of(const sv_game *g, int64_t lower, int upper, int lane)
{
    return lower * g->slots + g->slot[upper] + lane;
}

static int points_on(const sv_game *g, int64_t lower, int upper, int lane)
{
    int rest, all;
    sv_most_points(g, lower, upper, &rest, &all);
    return lane == g->live[upper] ? all : rest;
}

double *sv_pursuit(const sv_game *g, const sv_chase *chase, int64_t lower, int upper, int lane)
{
    double **row = &chase->pursuit[row_of(g, lower, upper, lane)];
    if (*row == NULL)
        *row = calloc((size_t)points_on(g, lower, upper, lane) + 1, sizeof **row);
    return *row;
}

/* Whether play can still change what the aim gets. Targets are decided once they are reached (one that is as good as
 * certain still asks for care) or out of reach; out of reach of points, a win at once may still reach them. */
static int decides(const sv_chase *chase, int64_t row, int need)
{
    const sv_spans *spans = chase->spans;
    int past = need - spans->low[row], last = spans->width[row] - 1;
    int64_t end = spans->start[row] + last;

    if (chase->aim->top >= 0)
        return past >= 0 && past <= last;
    if (past >= last)
        return sv_number(spans->values, spans->is_float, end) > 0;
    return need > 0;
}

/* Some chances of a row, with their needs. */
typedef struct {
    int n, points[SV_LANES], needs[SV_LANES];
    double chance[SV_LANES];
} block;

/* Where the lanes of a row go by what the turn ends with. */
static int move_on(const sv_game *g, const sv_chase *chase, const sv_sheet *s, int lane, const block *b,
                   const sv_span_source *source, const double *weights, double *tally)
{
    const double *weight = weights + sv_lines((size_t)source->outcome);
    int begin = lane_total(g, s->upper, lane), upper = 0, to_lane, to_total;
    int64_t lower = source->row / g->slots, slot = source->row % g->slots;
    double *to, sum = 0;

    for (int l = 0; l < b->n; l++)
        sum += weight[l];
    if (sum == 0)
        return 0;
    while (upper + 1 < g->uppers && g->slot[upper + 1] <= slot)
        upper++;
    to_lane = (int)slot - g->slot[upper];
    to_total = lane_total(g, upper, to_lane);
    to = sv_pursuit(g, chase, lower, upper, to_lane);
    if (to == NULL)
        return -1;
    for (int l = 0; l < b->n; l++) {
        if (weight[l] == 0)
            continue;
        to[begin + b->points[l] + source->shift - to_total] += weight[l] * b->chance[l];
        tally[source->outcome] += weight[l] * b->chance[l];
    }
    return 0;
}

/* Plays a block of a row's chances for one turn. */
static int play_block(const sv_game *g, const sv_chase *chase, const sv_sheet *s, int lane, block *b,
                      const sv_choices *choices, const sv_span_source *sources, int n, double *ended, double *tally,
                      double *memory)
{
    double *weights = sv_aligned(memory), *outcomes = weights + sv_lines(sv_span_outcomes(g));
    double *room = outcomes + sv_lines(sv_span_outcomes(g));
    int failed = 0, won = lane_total(g, s->upper, lane) + (int)g->win_points;

    for (int l = b->n; l < SV_LANES; l++)
        b->needs[l] = b->needs[0];
    sv_load_spans(chase->spans, chase->aim, sources, n, b->needs, outcomes);
    sv_forward_outcomes(g, choices, outcomes, sv_span_outcomes(g), b->n, -1, 0, weights, room);
    for (int i = 0; i < n && !failed; i++)
        failed = move_on(g, chase, s, lane, b, &sources[i], weights, tally);
    for (int l = 0; l < b->n; l++) {
        double win = weights[sv_lines(SV_WIN) + (size_t)l] * b->chance[l];
        if (win > 0) {
            ended[b->points[l] + won] += win;
            tally[SV_WIN] += win;
        }
    }
    b->n = 0;
    return failed;
}

int sv_pursue(const sv_game *g, const sv_chase *chase, int64_t lower, int upper, int lane, sv_masses *mass, double *ended,
              double *tally, double *memory)
{
    int64_t row = row_of(g, lower, upper, lane);
    double *own = chase->pursuit[row];
    sv_sheet s = sv_sheet_of(g, lower, upper);
    sv_span_source *sources = (sv_span_source *)memory;
    int begin = lane_total(g, upper, lane), most = points_on(g, lower, upper, lane), failed = 0;
    block b = {0};
    sv_choices choices;

    sv_span_choose(g, &s, chase->aim, &choices);
    int n = sv_span_sources(g, chase->aim, &s, lane, sources);
    sv_place_sources(chase->spans, NULL, 0, 1, sources, n);
    for (int points = 0; points <= most && !failed; points++) {
        int need = chase->total - begin - points;
        if (own[points] == 0)
            continue;
        if (n == 0 || !decides(chase, row, need)) { /* n == 0: the sheet is full */
            failed = sv_spread_begin(g, mass, lower, upper, lane, points, own[points]);
            continue;
        }
        b.points[b.n] = points;
        b.needs[b.n] = need;
        b.chance[b.n++] = own[points];
        if (b.n == SV_LANES)
            failed = play_block(g, chase, &s, lane, &b, &choices, sources, n, ended, tally,
                                memory + sv_span_memory(g));
    }
    if (b.n > 0 && !failed)
        failed = play_block(g, chase, &s, lane, &b, &choices, sources, n, ended, tally, memory + sv_span_memory(g));
    free(own);
    chase->pursuit[row] = NULL;
    return failed;
}

size_t sv_pursue_memory(const sv_game *g)
{
    return sv_span_memory(g) + SV_LANES + 2 * sv_lines(sv_span_outcomes(g)) + sv_forward_memory(g) + SV_LANES;
}
