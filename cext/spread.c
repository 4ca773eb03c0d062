#include "spread.h"

#include "forward.h"
#include "portable.h"

#include <stdlib.h>
#include <string.h>

#define EACH_LANE for (int l = 0; l < SV_LANES; l++)
#define IN const double *restrict

/* How far apart what is added together may begin and end, and the zeros around a lane's chances that takes. */
enum { REACH = 4 * SV_LANES, MARGIN = REACH + SV_LANES };

int sv_spread_begin(const sv_game *g, sv_masses *mass, int64_t lower, int upper, int lane, int points, double chance)
{
    sv_span *row = sv_mass_row(g, mass, lower, upper);
    int begin = points / SV_LANES * SV_LANES;

    if (row == NULL || sv_mass_reserve(mass, &row[lane], begin, begin + SV_LANES) < 0)
        return -1;
    row[lane].chance[points - row[lane].base] += chance;
    row[lane].sum += chance;
    return 0;
}

void sv_spread_end(const sv_game *g, const sv_masses *mass, int64_t lower, int upper, double *ended)
{
    const sv_span *s = mass->row[lower * g->uppers + upper];

    if (s == NULL)
        return;
    s += g->live[upper];
    for (int i = s->begin; i < s->end; i++)
        if (s->chance[i - s->base] != 0) /* the cleared rest of a line may reach beyond the greatest total */
            ended[i] += s->chance[i - s->base];
}

/* A way to end the turn, for a block: the row of its weights, where it leads, and where it is counted. */
typedef struct {
    size_t row, tally;
    sv_span *to;
    int upper, points, bonus; /* the upper mask after it; its points, the bonus for a further five that comes with it */
    int counts;               /* whether the points count for the upper total */
} way;

/* One lane that is spread: its chances from the first to the last that is not 0, in room with zeros around. */
typedef struct {
    int lane, begin, end;
    const double *chance;
    double sum;
} lane_mass;

/* The lane's memory is free then for what goes to the next layer. */
static lane_mass take_mass(sv_masses *mass, sv_span *s, int lane, double *room)
{
    const double *chance = s->chance;
    lane_mass m = {lane, s->begin, s->end, room + MARGIN, s->sum};

    while (m.begin < m.end && chance[m.begin - s->base] == 0)
        m.begin++;
    while (m.end > m.begin && chance[m.end - 1 - s->base] == 0)
        m.end--;
    memset(room + m.begin, 0, MARGIN * sizeof *room);
    memcpy(room + MARGIN + m.begin, chance + m.begin - s->base, (size_t)(m.end - m.begin) * sizeof *room);
    memset(room + MARGIN + m.end, 0, MARGIN * sizeof *room);
    sv_mass_release(mass, s);
    return m;
}

/* Up to four moves to one lane, each of some lane's chances by `shift` points: what is added to is read and written
 * once for all. They begin between `begin` and `latest` and end between `earliest` and `end`. */
typedef struct {
    sv_span *to;
    int n, begin, latest, earliest, end;
    int shift[4];
    double weight[4];
    const double *from[4];
} moves;

enum { SLOTS = 64 };

/* What is being gathered for the lanes of a row, by lane, and the slots in use; lanes that share one take turns. */
typedef struct {
    sv_masses *mass;
    moves slot[SLOTS];
    int used[SLOTS], n, failed;
} gathered;

SV_INLINE void add_1(double *restrict to, IN a, double weight)
{
    EACH_LANE
        to[l] += weight * a[l];
}

SV_INLINE void add_2(double *restrict to, IN a, IN b, IN weight)
{
    EACH_LANE
        to[l] += weight[0] * a[l] + weight[1] * b[l];
}

SV_INLINE void add_4(double *restrict to, IN a, IN b, IN c, IN d, IN weight)
{
    EACH_LANE
        to[l] += (weight[0] * a[l] + weight[1] * b[l]) + (weight[2] * c[l] + weight[3] * d[l]);
}

#define EACH_LINE for (int i = begin; i < end; i += SV_LANES)
#define FROM(j) (p->from[j] + (i - p->shift[j]))
SV_CLONES
static void add_moves(const moves *p, int begin, int end, int base, double *to)
{
    if (p->n == 1)
        EACH_LINE
            add_1(to + (i - base), FROM(0), p->weight[0]);
    else if (p->n == 2)
        EACH_LINE
            add_2(to + (i - base), FROM(0), FROM(1), p->weight);
    else
        EACH_LINE
            add_4(to + (i - base), FROM(0), FROM(1), FROM(2), FROM(3), p->weight);
}

static void flush(gathered *all, moves *p)
{
    int begin = p->begin / SV_LANES * SV_LANES, end = (p->end + SV_LANES - 1) / SV_LANES * SV_LANES;

    if (p->n == 0)
        return;
    if (p->n == 3) { /* one that weighs nothing makes them four */
        p->from[3] = p->from[2];
        p->shift[3] = p->shift[2];
        p->weight[3] = 0;
    }
    if (sv_mass_reserve(all->mass, p->to, begin, end) < 0)
        all->failed = 1;
    else
        add_moves(p, begin, end, p->to->base, p->to->chance);
    p->n = 0;
}

static void flush_all(gathered *all)
{
    for (int i = 0; i < all->n; i++)
        flush(all, &all->slot[all->used[i]]);
    all->n = 0;
}

SV_INLINE int lesser(int a, int b)
{
    return a < b ? a : b;
}

SV_INLINE int greater(int a, int b)
{
    return a > b ? a : b;
}

SV_INLINE void add_move(gathered *all, const lane_mass *m, sv_span *to, int slot, int shift, double weight)
{
    moves *p = &all->slot[slot];
    int begin = m->begin + shift, end = m->end + shift;

    if (p->n > 0) {
        int least = lesser(p->begin, begin), latest = greater(p->latest, begin);
        int earliest = lesser(p->earliest, end), most = greater(p->end, end);
        if (p->n < 4 && p->to == to && latest - least <= REACH && most - earliest <= REACH) {
            p->begin = least;
            p->latest = latest;
            p->earliest = earliest;
            p->end = most;
        } else {
            flush(all, p);
        }
    } else {
        all->used[all->n++] = slot;
    }
    if (p->n == 0) {
        p->to = to;
        p->begin = p->latest = begin;
        p->earliest = p->end = end;
    }
    p->shift[p->n] = shift;
    p->weight[p->n] = weight;
    p->from[p->n++] = m->chance;
    to->sum += weight * m->sum;
}

/* One lane's chances, times `weight`, go where that way leads. */
static void move_on(const sv_game *g, int upper, const way *way, double weight, const lane_mass *m, gathered *all)
{
    int settled = m->lane == g->live[upper], total = settled ? 0 : g->lane_low[upper] + m->lane;
    int shift = way->points + way->bonus, into = g->live[way->upper];

    if (!settled && way->counts) {
        int after = total + way->points;
        if (after >= g->threshold) {
            shift = after + (int)g->upper_bonus + way->bonus;
        } else if (after >= g->lane_low[way->upper] && after < g->lane_low[way->upper] + g->live[way->upper]) {
            into = after - g->lane_low[way->upper];
            shift = way->bonus;
        } else {
            shift = after + way->bonus;
        }
    } else if (!settled) {
        into = m->lane;
    }
    add_move(all, m, way->to + into, into % SLOTS, shift, weight);
}

/* The ways lanes of a block take; -1 when memory ran out. */
static int list_ways(const sv_game *g, const sv_sheet *s, const double *weights, sv_masses *mass, way *ways)
{
    uint32_t playable = sv_playable(g, s->written);
    int fives = g->five >= 0 && s->holding >> g->five & 1, n = 0;

    for (int b = 0; b < g->boxes; b++) {
        const sv_box *box = &g->box[b];
        int upper = s->upper | box->upper_bit;
        for (int i = 0; playable >> b & 1 && i < box->outcomes << fives; i++) {
            int five = i >= box->outcomes, k = five ? i - box->outcomes : i, outcome = box->outcome + k;
            size_t tally = (size_t)outcome + (five ? (size_t)g->outcomes : 0);
            int64_t lower = sv_next_lower(box, s->lower, k > 0);
            if (sv_is_empty(weights + sv_lines(tally)))
                continue;
            sv_span *to = sv_mass_row(g, mass, lower, upper);
            if (to == NULL)
                return -1;
            ways[n++] = (way){sv_lines(tally), tally, to, upper, (int)g->points[outcome],
                              five ? (int)g->five_bonus : 0, box->upper_bit > 0};
        }
    }
    return n;
}

static void end_at_once(const sv_game *g, int upper, const lane_mass *m, double weight, double *ended, double *tally)
{
    double *to = ended + (int)g->win_points + (m->lane == g->live[upper] ? 0 : g->lane_low[upper] + m->lane);

    if (weight <= 0)
        return;
    for (int i = m->begin; i < m->end; i++)
        to[i] += weight * m->chance[i];
    tally[SV_WIN] += weight * m->sum;
}

/* The lanes of a block go where their outcomes lead. All lanes take one way before the next: they meet again there. */
static int spread_block(const sv_game *g, const sv_sheet *s, const lane_mass *m, int lanes, const double *weights,
                        way *ways, sv_masses *mass, double *ended, double *tally)
{
    int n = list_ways(g, s, weights, mass, ways);
    gathered all;

    all.mass = mass;
    all.n = 0;
    all.failed = n < 0;
    for (int i = 0; i < SLOTS; i++)
        all.slot[i].n = 0;
    for (int l = 0; l < lanes; l++)
        end_at_once(g, s->upper, &m[l], weights[sv_lines(SV_WIN) + (size_t)l], ended, tally);
    for (int i = 0; i < n; i++) {
        for (int l = 0; l < lanes; l++) {
            double w = weights[ways[i].row + (size_t)l];
            if (w <= 0)
                continue;
            move_on(g, s->upper, &ways[i], w, &m[l], &all);
            tally[ways[i].tally] += w * m[l].sum;
        }
        if (i + 1 == n || ways[i + 1].to != ways[i].to)
            flush_all(&all);
    }
    return all.failed ? -1 : 0;
}

static void fetch_lanes(const sv_span *row, int first, int last)
{
    for (int lane = first; lane <= last; lane++)
        if (row[lane].chance != NULL)
            for (int i = row[lane].begin; i < row[lane].end; i += SV_LANES)
                SV_FETCH(row[lane].chance + (i - row[lane].base));
}

/* What a block reads, and the lanes it is likely to lead to, are on their way into the cache while its turn is solved:
 * the chances of a layer do not fit there, and are too short to be fetched by themselves. */
static void fetch_ahead(const sv_game *g, const sv_sheet *s, const int *lanes, int n, const sv_masses *mass)
{
    uint32_t playable = sv_playable(g, s->written);

    fetch_lanes(mass->row[s->lower * g->uppers + s->upper], lanes[0], lanes[n - 1]);
    for (int b = 0; b < g->boxes; b++) {
        const sv_box *box = &g->box[b];
        int upper = s->upper | box->upper_bit, first = lanes[0], last = lanes[n - 1];
        if (!(playable >> b & 1))
            continue;
        const sv_span *row = mass->row[sv_next_lower(box, s->lower, 1) * g->uppers + upper];
        if (row == NULL)
            continue;
        if (box->upper_bit) {
            int further = g->lane_low[s->upper] - g->lane_low[upper];
            first += further + (int)g->points[box->outcome + box->outcomes / 3];
            last += further + (int)g->points[box->outcome + box->outcomes * 2 / 3];
        }
        fetch_lanes(row, greater(first, 0), lesser(last, g->live[upper]));
    }
}

/* More points than there can be in all. */
static size_t greatest_width(const sv_game *g)
{
    double most = g->upper_bonus + g->five_bonus * g->boxes;
    for (int b = 0; b < g->boxes; b++)
        most += g->points[g->box[b].outcome + g->box[b].outcomes - 1];
    return (size_t)most + 2 * MARGIN + SV_LANES;
}

int sv_spread(const sv_game *g, const double *values, int64_t lower, int upper, sv_masses *mass, double *ended,
              double *tally, double *memory)
{
    sv_span **own = &mass->row[lower * g->uppers + upper];
    sv_sheet s = sv_sheet_of(g, lower, upper);
    double *weights = sv_aligned(memory), *room = weights + sv_lines(2 * (size_t)g->outcomes);
    way *ways = (way *)(room + SV_LANES * greatest_width(g));
    double *rest = (double *)(ways + 2 * g->outcomes);
    int lanes[SV_LANES], n = 0, failed = 0;
    lane_mass m[SV_LANES];

    /* lanes that optimal play leads to lie scattered: they are put together, eight to a block */
    for (int lane = 0; *own != NULL && lane <= g->live[upper] && !failed; lane++) {
        if ((*own)[lane].chance != NULL)
            lanes[n++] = lane;
        if (n == 0 || (n < SV_LANES && lane < g->live[upper]))
            continue;
        fetch_ahead(g, &s, lanes, n, mass);
        sv_forward(g, values, lower, upper, lanes, n, -1, 0, weights, rest);
        for (int l = 0; l < n; l++)
            m[l] = take_mass(mass, &(*own)[lanes[l]], lanes[l], room + (size_t)l * greatest_width(g));
        failed = spread_block(g, &s, m, n, weights, ways, mass, ended, tally);
        n = 0;
    }
    free(*own);
    *own = NULL;
    return failed;
}

size_t sv_spread_memory(const sv_game *g)
{
    size_t outcomes = 2 * (size_t)g->outcomes, ways = outcomes * sizeof(way) / sizeof(double);
    return SV_LANES + sv_lines(outcomes) + SV_LANES * greatest_width(g) + ways + sv_forward_memory(g);
}
