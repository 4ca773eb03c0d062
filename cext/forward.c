#include "forward.h"

#include "portable.h"

#include <math.h>
#include <string.h>

/* Functions, so that all operands are loaded first, and the comparison that raises no exceptions, or the loops around
 * them would not be vectorised. */
SV_INLINE int64_t sv_pick(double value, double least, int64_t choice, int64_t other)
{
    return isgreaterequal(value, least) ? choice : other;
}

SV_INLINE double sv_greater(double a, double b)
{
    return a > b ? a : b;
}

static const int64_t sv_lane[SV_LANES] = {0, 1, 2, 3, 4, 5, 6, 7};

#define LANES SV_LANES
#define NAME(x) x##_block
#include "forward_lanes.h"
#undef LANES
#undef NAME
#define LANES (SV_LANES / 2)
#define NAME(x) x##_half
#include "forward_lanes.h"
#undef LANES
#undef NAME

/* The holds between two, numbered by how many dice more of each face they have than the smaller one: a die less of
 * face f is stride[f] further down, and bit f of more[] says whether there is one to give up. */
typedef struct {
    int n, faces, stride[SV_FACES];
    int hold[1 << SV_MAX_DICE], more[1 << SV_MAX_DICE];
    double best[1 << SV_MAX_DICE]; /* the greatest value of a hold within each */
} between;

static void list_between(const sv_lattice *t, int roll, int held, const double *x, between *b)
{
    b->n = 1;
    b->faces = 0;
    b->hold[0] = held;
    b->more[0] = 0;
    for (int f = 0; f < SV_FACES; f++) {
        int more = t->count[roll][f] - t->count[held][f], old = b->n;
        if (more == 0)
            continue;
        b->stride[b->faces] = old;
        for (; b->n < old * (more + 1); b->n++) {
            b->hold[b->n] = t->above[b->hold[b->n - old]][f];
            b->more[b->n] = b->more[b->n - old] | 1 << b->faces;
        }
        b->faces++;
    }
    for (int i = 0; i < b->n; i++) {
        b->best[i] = i == b->n - 1 ? -INFINITY : x[sv_lines((size_t)b->hold[i])];
        for (int f = 0; f < b->faces; f++)
            if (b->more[i] >> f & 1 && b->best[i - b->stride[f]] > b->best[i])
                b->best[i] = b->best[i - b->stride[f]];
    }
}

int sv_best_hold(const sv_lattice *t, int roll, int held, const double *x, double *value)
{
    between b;
    list_between(t, roll, held, x, &b);
    int i = b.n - 1;
    while (i == b.n - 1 || !(x[sv_lines((size_t)b.hold[i])] >= b.best[i] - SV_TIE)) {
        int f = b.faces - 1;
        while (!(b.more[i] >> f & 1) || !(b.best[i - b.stride[f]] >= b.best[i] - SV_TIE))
            f--;
        i -= b.stride[f];
    }
    *value = x[sv_lines((size_t)b.hold[i])];
    return b.hold[i];
}

/* Whether `roll`, served, may end the game. */
static int wins(const sv_game *g, const sv_sheet *s, int roll)
{
    if (!sv_can_win(g, s))
        return 0;
    for (int i = 0; i < g->win.n; i++)
        if (g->win.terms[i].roll == roll * SV_LANES)
            return 1;
    return 0;
}

sv_option sv_best_option(const sv_game *g, const sv_sheet *s, int roll, int served, int hold, double value,
                         const double *outcomes)
{
    sv_write writes[SV_MAX_BOXES];
    double bonus, most = hold < 0 ? -INFINITY : value;
    int n = sv_writes(g, s, roll, served, writes, &bonus), win = served && wins(g, s, roll);

    if (win && g->win_points > most)
        most = g->win_points;
    for (int i = 0; i < n; i++) {
        double written = outcomes[sv_lines((size_t)writes[i].outcome)] + bonus;
        most = written > most ? written : most;
    }
    if (win && g->win_points >= most - SV_TIE)
        return (sv_option){SV_OPTION_WIN, SV_WIN, -1, g->win_points, 0, g->win_points};
    for (int scratch = 0; scratch < 2; scratch++)
        for (int i = 0; i < n; i++) {
            int outcome = writes[i].outcome;
            double written = outcomes[sv_lines((size_t)outcome)] + bonus;
            if (written >= most - SV_TIE && (g->points[outcome] == 0) == scratch)
                return (sv_option){writes[i].box, outcome, -1, g->points[outcome], bonus, written};
        }
    return (sv_option){SV_OPTION_HOLD, -1, hold, 0, 0, value};
}

enum { ARRAYS = 11, MAX_ROLLS = 5 }; /* arrays besides those per number of rerolls left */

/* Working memory: arrays of rows of lanes, one row per hold unless said otherwise. */
typedef struct {
    double *outcomes;                   /* its value per outcome, and room for those with a bonus */
    double *write, *serve;              /* what rolls are best written as; on the first roll, too */
    double *best[2];                    /* the best within each hold, for odd and even numbers of rerolls left */
    double *hold[MAX_ROLLS];            /* values of holds per rerolls left, where holds are locked */
    int64_t *choice[MAX_ROLLS];         /* per rerolls left: what is held of each roll; 0: what it is written as */
    double *mass;                       /* how likely optimal play is to hold just that; rolls: to write them */
    double *thrown;                     /* ... to throw that roll, and hold some of it */
    double *served;                     /* ... to write that roll on the first roll, where that makes a difference */
    double *local_x, *local_best;       /* the lattice of the dice not held, where holds are locked */
    double *local_mass;
    int64_t *local_choice;
    double *room;
    sv_source *sources;
} workspace;

size_t sv_forward_memory(const sv_game *g)
{
    size_t holds = (size_t)g->lattice.holds, outcomes = (size_t)g->outcomes;
    size_t rows = 2 * outcomes + holds * (size_t)(ARRAYS + 2 * g->rolls) + 1;
    return sv_lines(rows) + outcomes * sv_row_lanes(g) + outcomes * sizeof(sv_source) / sizeof(double);
}

static workspace lay_out(const sv_game *g, double *memory)
{
    size_t size = sv_lines((size_t)g->lattice.holds);
    workspace w;
    double *end = sv_aligned(memory), **arrays[ARRAYS - 1] = {
        &w.write, &w.serve, &w.best[0], &w.best[1], &w.mass, &w.thrown, &w.served,
        &w.local_x, &w.local_best, &w.local_mass,
    };

    for (int i = 0; i < ARRAYS - 1; i++, end += size)
        *arrays[i] = end;
    w.local_choice = (int64_t *)end;
    end += size;
    for (int r = 0; r < g->rolls; r++, end += 2 * size) {
        w.hold[r] = end;
        w.choice[r] = (int64_t *)(end + size);
    }
    w.outcomes = end;
    w.room = w.outcomes + 2 * sv_lines((size_t)g->outcomes);
    w.sources = (sv_source *)(w.room + (size_t)g->outcomes * sv_row_lanes(g));
    return w;
}

/* Functions of their own, and not one for the whole turn: each keeps its pointers in registers. */
SV_CLONES
static void choose_holds(const sv_lattice *t, int lanes, const double *x, const double *roll, double *best,
                         int64_t *choice)
{
    if (lanes <= SV_LANES / 2)
        choose_holds_half(t, t->dice, x, roll, best, choice);
    else
        choose_holds_block(t, t->dice, x, roll, best, choice);
}

SV_CLONES
static void choose_outcomes(const sv_game *g, const sv_choices *c, int served, int lanes, const double *outcomes,
                            const double *best, int64_t *choice)
{
    if (lanes <= SV_LANES / 2)
        choose_outcomes_half(g, c, served, outcomes, best, choice);
    else
        choose_outcomes_block(g, c, served, outcomes, best, choice);
}

SV_CLONES
static void throw_up(const sv_lattice *t, int lanes, double *q, double *to)
{
    if (lanes <= SV_LANES / 2)
        throw_up_half(t, t->dice, q, to);
    else
        throw_up_block(t, t->dice, q, to);
}

static void send(int lanes, size_t rows, const double *mass, const int64_t *choice, double *to)
{
    if (lanes <= SV_LANES / 2)
        send_half(rows, mass, choice, to);
    else
        send_block(rows, mass, choice, to);
}

static void send_alike(int lanes, size_t rows, const double *mass, const int64_t *choice, double *to)
{
    if (lanes <= SV_LANES / 2)
        send_alike_half(rows, mass, choice, to);
    else
        send_alike_block(rows, mass, choice, to);
}

SV_CLONES
static void throw_and_hold_locked(const sv_lattice *t, int lanes, const double *value, const workspace *w)
{
    if (lanes <= SV_LANES / 2)
        throw_and_hold_locked_half(t, value, w->mass, w->local_x, w->local_best, w->local_mass, w->local_choice);
    else
        throw_and_hold_locked_block(t, value, w->mass, w->local_x, w->local_best, w->local_mass, w->local_choice);
}

/* A turn solved backward, as a solver does, what is held of each roll being kept this time. */
static void solve_holds(const sv_game *g, const sv_choices *c, int lanes, int served, workspace *w)
{
    const sv_lattice *t = &g->lattice;
    size_t all = sv_lines((size_t)t->holds), first = sv_lines((size_t)t->first[t->dice]);
    double *x = w->write, *best = w->best[1];

    sv_write_rolls(t, c, lanes, w->outcomes, w->write);
    if (served) {
        memcpy(w->serve + first, w->write + first, (all - first) * sizeof *w->serve);
        sv_serve(t, c, w->outcomes, w->serve);
    } else { /* then a roll served is a roll like any other */
        w->serve = w->write;
    }
    for (int r = 1; r < g->rolls; r++) {
        sv_reroll(t, g->locked ? r : 1, g->locked, lanes, x, w->local_x);
        if (g->locked && r < g->rolls - 1) {
            memcpy(w->hold[r], x, all * sizeof *x);
            continue;
        }
        choose_holds(t, lanes, x, r == g->rolls - 1 ? w->serve : w->write, best, w->choice[r]);
        x = best;
        best = w->best[r % 2 == 0];
    }
}

static void move(double *to, double *from, size_t n)
{
    memcpy(to, from, n * sizeof *to);
    memset(from, 0, n * sizeof *from);
}

/* How likely each roll is to be written, on the first roll and later. Play goes on from `hold` with `left` rerolls to
 * come after it is thrown, or, with hold < 0, begins with the first roll. */
static void play(const sv_game *g, int lanes, int served, int hold, int left, workspace *w)
{
    const sv_lattice *t = &g->lattice;
    size_t rolls = (size_t)(t->holds - t->first[t->dice]), first = sv_lines((size_t)t->first[t->dice]);

    memset(w->mass, 0, sv_lines((size_t)t->holds) * sizeof *w->mass);
    if (hold < 0) {
        left = g->rolls - 1;
        if (left > 0)
            send_alike(lanes, rolls, t->chance, w->choice[left] + first, w->mass);
        else
            for (size_t i = 0; i < sv_lines(rolls); i++)
                w->mass[first + i] = t->chance[i / SV_LANES];
        if (served)
            move(w->served + first, w->mass + first, sv_lines(rolls));
        left--;
    } else {
        for (size_t l = 0; l < SV_LANES; l++)
            w->mass[sv_lines((size_t)hold) + l] = 1;
        memset(w->served + first, 0, sv_lines(rolls) * sizeof *w->served);
    }
    for (; left > 0; left--) {
        if (g->locked) {
            throw_and_hold_locked(t, lanes, w->hold[left], w);
        } else {
            throw_up(t, lanes, w->mass, w->thrown);
            memset(w->mass, 0, first * sizeof *w->mass);
            send(lanes, rolls, w->thrown + first, w->choice[left] + first, w->mass);
        }
    }
    if (left == 0)
        throw_up(t, lanes, w->mass, w->mass);
}

/* Mass at rolls becomes mass at outcomes, what is best scratched at the first of the best. `best`: what each roll is
 * worth written. */
static void write_mass(const sv_game *g, const sv_choices *c, int served, int lanes, const workspace *w,
                       const double *best, const double *mass, double *weights)
{
    size_t rolls = (size_t)(g->lattice.holds - g->lattice.first[g->lattice.dice]);
    double *scratch = weights + sv_lines(SV_SCRATCH);

    choose_outcomes(g, c, served, lanes, w->outcomes, best, w->choice[0]);
    send(lanes, rolls, mass, w->choice[0], weights);
    for (int l = 0; l < lanes; l++) {
        const double *outcome = w->outcomes + l;
        int i = 0;
        if (scratch[l] == 0)
            continue;
        while (c->strict && c->scored[i].n > 0) /* scratched only where the list says so */
            i++;
        while (!(outcome[sv_lines(c->scratch[i])] >= outcome[sv_lines(SV_SCRATCH)] - SV_TIE))
            i++;
        weights[sv_lines(c->scratch[i]) + (size_t)l] += scratch[l];
        scratch[l] = 0;
    }
}

/* Whether anything counts otherwise on the first roll. */
static int counts_otherwise(const sv_choices *c)
{
    int served = c->win.n;
    for (int i = 0; i < c->n; i++)
        served += c->served[i].n;
    for (int i = 0; i < c->n_special; i++)
        for (int j = 0; j < c->special[i].n; j++)
            served += c->special[i].outcomes[j] != c->special[i].served_outcomes[j];
    return served > 0;
}

/* A turn played forward, once its outcomes have their values. */
static void play_turn(const sv_game *g, const sv_choices *c, int n, int hold, int left, double *weights, workspace *w)
{
    size_t rolls = sv_lines((size_t)g->lattice.first[g->lattice.dice]);
    int served = counts_otherwise(c);

    memset(weights, 0, 2 * sv_lines((size_t)g->outcomes) * sizeof *weights);
    solve_holds(g, c, n, served, w);
    play(g, n, served, hold, left, w);
    write_mass(g, c, 0, n, w, w->write + rolls, w->mass + rolls, weights);
    if (served)
        write_mass(g, c, 1, n, w, w->serve + rolls, w->served + rolls, weights);
}

void sv_forward(const sv_game *g, const double *values, int64_t lower, int upper, const int *lanes, int n, int hold,
                int left, double *weights, double *memory)
{
    workspace w = lay_out(g, memory);
    sv_sheet s = sv_sheet_of(g, lower, upper);
    sv_choices c;

    sv_choose(g, &s, 0, &c);
    int sources = sv_list_sources(g, values, &s, w.sources, w.room);
    sv_gather_outcomes(g, w.sources, sources, lanes, n, w.outcomes);
    play_turn(g, &c, n, hold, left, weights, &w);
}

void sv_forward_outcomes(const sv_game *g, const sv_choices *c, const double *outcomes, size_t rows, int n, int hold,
                         int left, double *weights, double *memory)
{
    workspace w = lay_out(g, memory);
    memcpy(w.outcomes, outcomes, sv_lines(rows) * sizeof *outcomes);
    play_turn(g, c, n, hold, left, weights, &w);
}
