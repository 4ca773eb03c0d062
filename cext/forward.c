#include "forward.h"

#include "portable.h"

#include <math.h>
#include <string.h>

#include "forward_lanes.h"

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

/* Working memory: arrays of rows of lanes, one row per hold unless said otherwise. */
typedef struct {
    double *outcomes;                   /* one row per outcome: its value */
    double *write;                      /* what rolls are best written as */
    double *hold[5], *best[5];          /* per rerolls left: values of holds (of writing, for rolls), best within each */
    double *mass, *next;                /* how likely optimal play is to hold just that */
    double *written, *served;           /* ... to write that roll; on the first roll in `served` */
    double *local_x, *local_best, *local_mass;  /* the lattice of the dice not held, where holds are locked */
    double *room;
    sv_source *sources;
} workspace;

enum { ARRAYS = 8 }; /* besides two per number of rerolls left */

size_t sv_forward_memory(const sv_game *g)
{
    size_t holds = (size_t)g->lattice.holds, outcomes = (size_t)g->outcomes;
    size_t rows = outcomes + holds * (size_t)(ARRAYS + 2 * g->rolls) + 1;
    return sv_lines(rows) + outcomes * sv_row_lanes(g) + outcomes * sizeof(sv_source) / sizeof(double);
}

static workspace lay_out(const sv_game *g, double *memory)
{
    size_t size = sv_lines((size_t)g->lattice.holds);
    workspace w;
    double *end = sv_aligned(memory), **arrays[ARRAYS] = {
        &w.write, &w.mass, &w.next, &w.written, &w.served, &w.local_x, &w.local_best, &w.local_mass,
    };

    for (int i = 0; i < ARRAYS; i++, end += size)
        *arrays[i] = end;
    for (int r = 1; r < g->rolls; r++, end += 2 * size) {
        w.hold[r] = end;
        w.best[r] = end + size;
    }
    w.outcomes = end;
    w.room = w.outcomes + sv_lines((size_t)g->outcomes);
    w.sources = (sv_source *)(w.room + (size_t)g->outcomes * sv_row_lanes(g));
    return w;
}

/* The values of all holds for every number of rerolls left, as a solver's turn finds them, kept this time. */
static void solve_holds(const sv_game *g, const sv_choices *c, workspace *w)
{
    const sv_lattice *t = &g->lattice;
    size_t all = sv_lines((size_t)t->holds), first = sv_lines((size_t)t->first[t->dice]);

    sv_write_rolls(t, c, SV_LANES, w->outcomes, w->write);
    for (int r = 1; r < g->rolls; r++) {
        double *x = w->hold[r];
        if (r == 1)
            memcpy(x + first, w->write + first, (all - first) * sizeof *x);
        else
            memcpy(x, g->locked ? w->hold[r - 1] : w->best[r - 1], all * sizeof *x);
        sv_reroll(t, g->locked ? r : 1, g->locked, SV_LANES, x, w->local_x);
        memcpy(x + first, w->write + first, (all - first) * sizeof *x);
        if (r == g->rolls - 1)
            sv_serve(t, c, w->outcomes, x);
        memcpy(w->best[r], x, all * sizeof *x);
        sv_best_within(t, t->dice, w->best[r]);
    }
}

static void move(double *to, double *from, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        to[i] += from[i];
        from[i] = 0;
    }
}

/* Dice set aside stay so: the mass at each hold is thrown, and held anew, on the lattice of the dice not held. */
SV_CLONES
static void throw_and_hold_locked(const sv_lattice *t, workspace *w, int left)
{
    memset(w->next, 0, sv_lines((size_t)t->holds) * sizeof *w->next);
    for (int k = 0; k < t->dice; k++) {
        int thrown = t->dice - k;
        size_t below = sv_lines((size_t)t->first[thrown]), all = sv_lines((size_t)t->first[thrown + 1]);
        for (int h = t->first[k]; h < t->first[k + 1]; h++) {
            const uint16_t *sum = t->sums + t->sum_first[h];
            memset(w->local_mass, 0, all * sizeof *w->local_mass);
            memcpy(w->local_mass, w->mass + sv_lines((size_t)h), SV_LANES * sizeof *w->mass);
            throw_up(t, thrown, w->local_mass);
            memset(w->local_mass, 0, below * sizeof *w->local_mass);
            for (size_t d = 0; d < all; d += SV_LANES)
                memcpy(w->local_x + d, w->hold[left] + sum[d / SV_LANES], SV_LANES * sizeof *w->mass);
            memcpy(w->local_best, w->local_x, all * sizeof *w->local_x);
            sv_best_within(t, thrown, w->local_best);
            descend(t, thrown, w->local_x, w->local_best, w->local_mass);
            for (size_t d = 0; d < all; d += SV_LANES)
                for (int l = 0; l < SV_LANES; l++)
                    w->next[sum[d / SV_LANES] + l] += w->local_mass[d + (size_t)l];
        }
    }
    memcpy(w->mass, w->next, sv_lines((size_t)t->holds) * sizeof *w->mass);
}

/* How likely each roll is to be written, on the first roll and later. Play goes on from `hold` with `left` rerolls to
 * come after it is thrown, or, with hold < 0, begins with the first roll. */
SV_CLONES
static void play(const sv_game *g, workspace *w, int hold, int left)
{
    const sv_lattice *t = &g->lattice;
    size_t first = sv_lines((size_t)t->first[t->dice]), all = sv_lines((size_t)t->holds);
    double *rolls = w->mass + first;

    memset(w->written, 0, all * sizeof *w->written);
    memset(w->served, 0, all * sizeof *w->served);
    memset(w->mass, 0, all * sizeof *w->mass);
    if (hold < 0) {
        left = g->rolls - 1;
        for (size_t r = 0; r < all - first; r++)
            rolls[r] = t->chance[r / SV_LANES];
        if (left > 0)
            descend(t, t->dice, w->hold[left], w->best[left], w->mass);
        move(w->served + first, rolls, all - first);
        left--;
    } else {
        for (size_t l = 0; l < SV_LANES; l++)
            w->mass[sv_lines((size_t)hold) + l] = 1;
    }
    for (; left >= 0; left--) {
        if (left > 0 && g->locked) {
            throw_and_hold_locked(t, w, left);
        } else {
            throw_up(t, t->dice, w->mass);
            memset(w->mass, 0, first * sizeof *w->mass);
            if (left > 0)
                descend(t, t->dice, w->hold[left], w->best[left], w->mass);
        }
        move(w->written + first, rolls, all - first);
    }
}

SV_INLINE void assign_terms(const sv_terms *list, const double *outcomes, const double *best, double *mass,
                            double *weights)
{
    for (const sv_term *p = list->terms, *end = p + list->n; p < end; p++)
        if (!is_empty(mass + p->roll))
            pass_on(mass + p->roll, best + p->roll, outcomes + p->outcome, weights + p->outcome);
}

/* A roll with rules of its own: what makes points goes first, then what makes none. */
static void assign_special(const sv_game *g, const sv_special *s, int served, workspace *w, double *mass,
                           double *weights)
{
    const uint16_t *list = served ? s->served_outcomes : s->outcomes;
    int n = served ? s->n_served : s->n;
    double *roll = mass + sv_lines(s->roll), best[SV_LANES];
    double *to = weights + (s->bonus > 0 ? sv_lines((size_t)g->outcomes) : 0);

    memcpy(best, w->outcomes + sv_lines(list[0]), sizeof best);
    for (int i = 1; i < n; i++)
        for (int l = 0; l < SV_LANES; l++)
            if (w->outcomes[sv_lines(list[i]) + (size_t)l] > best[l])
                best[l] = w->outcomes[sv_lines(list[i]) + (size_t)l];
    for (int scratch = 0; scratch < 2; scratch++)
        for (int i = 0; i < n; i++)
            if ((g->points[list[i]] == 0) == scratch)
                pass_on(roll, best, w->outcomes + sv_lines(list[i]), to + sv_lines(list[i]));
}

/* Mass at rolls becomes mass at outcomes. `best`: what each roll is worth written. */
SV_CLONES
static void write_mass(const sv_game *g, const sv_choices *c, int served, workspace *w, const double *best,
                       double *mass, double *weights)
{
    size_t n = sv_lines((size_t)(g->lattice.holds - g->lattice.first[g->lattice.dice]));
    double left[SV_LANES] = {0};

    if (served)
        assign_terms(&c->win, w->outcomes, best, mass, weights);
    for (int i = 0; i < c->n_special; i++)
        assign_special(g, &c->special[i], served, w, mass, weights);
    for (int i = 0; i < c->n; i++) {
        if (served)
            assign_terms(&c->served[i], w->outcomes, best, mass, weights);
        assign_terms(&c->scored[i], w->outcomes, best, mass, weights);
    }
    for (size_t r = 0; r < n; r += SV_LANES)
        for (int l = 0; l < SV_LANES; l++)
            left[l] += mass[r + (size_t)l];
    for (int i = 0; i < c->n; i++)
        pass_on(left, w->outcomes, w->outcomes + sv_lines(c->scratch[i]), weights + sv_lines(c->scratch[i]));
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

void sv_forward(const sv_game *g, const double *values, int64_t lower, int upper, const int *lanes, int hold, int left,
                double *weights, double *memory)
{
    workspace w = lay_out(g, memory);
    size_t rolls = sv_lines((size_t)g->lattice.first[g->lattice.dice]);
    sv_sheet s = sv_sheet_of(g, lower, upper);
    sv_choices c;

    memset(weights, 0, 2 * sv_lines((size_t)g->outcomes) * sizeof *weights);
    sv_choose(g, &s, &c);
    int n = sv_list_sources(g, values, &s, w.sources, w.room);
    sv_gather_outcomes(g, w.sources, n, lanes, w.outcomes);
    solve_holds(g, &c, &w);
    play(g, &w, hold, left);
    if (!counts_otherwise(&c)) /* then a roll served is a roll like any other */
        move(w.written + rolls, w.served + rolls, sv_lines((size_t)g->lattice.holds) - rolls);
    write_mass(g, &c, 0, &w, w.write + rolls, w.written + rolls, weights);
    if (!counts_otherwise(&c))
        return;
    sv_serve(&g->lattice, &c, w.outcomes, w.write);
    write_mass(g, &c, 1, &w, w.write + rolls, w.served + rolls, weights);
}
