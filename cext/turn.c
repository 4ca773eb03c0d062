#include "turn.h"

#include <stddef.h>
#include <string.h>

/* Where the toolchain can, the block functions are compiled for several x86-64 levels and the best one is chosen at
 * load time. Every level does the same operations in the same order: only the speed differs. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) && !defined(SERVIDA_PORTABLE)
#define SV_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define SV_CLONES
#endif

/* Always: what stays a function of its own would be compiled for the lowest level only. */
#ifdef __GNUC__
#define SV_INLINE static inline __attribute__((always_inline))
#else
#define SV_INLINE static inline
#endif

/* A function, so that both operands are loaded before they are compared: a conditional load is not vectorised. */
SV_INLINE double sv_better(double a, double b)
{
    return a > b ? a : b;
}

#define LANES SV_LANES
#define NAME(x) x##_block
#include "turn_lanes.h"
#undef LANES
#undef NAME
#define LANES 1
#define NAME(x) x##_single
#include "turn_lanes.h"
#undef LANES
#undef NAME

SV_INLINE void better_terms(const sv_terms *list, const double *outcomes, double *rolls)
{
    for (const sv_term *p = list->terms, *end = p + list->n; p < end; p++)
        best_of_1_block(rolls + p->roll, outcomes + p->outcome);
}

SV_INLINE void best_outcome(const uint16_t *list, int n, double bonus, const double *outcomes, double *best)
{
    copy_block(best, outcomes + (size_t)list[0] * SV_LANES);
    for (int i = 1; i < n; i++)
        best_of_1_block(best, outcomes + (size_t)list[i] * SV_LANES);
    for (int l = 0; l < SV_LANES; l++)
        best[l] += bonus;
}

SV_CLONES
void sv_write_rolls(const sv_lattice *t, const sv_choices *c, const double *outcomes, double *x)
{
    double *rolls = x + (size_t)t->first[t->dice] * SV_LANES;
    int n = t->holds - t->first[t->dice];

    for (int r = 0; r < n; r++)
        copy_block(rolls + (size_t)r * SV_LANES, outcomes);
    for (int i = 0; i < c->n_scored; i++)
        better_terms(&c->scored[i], outcomes, rolls);
    for (int i = 0; i < c->n_special; i++) {
        const sv_special *s = &c->special[i];
        best_outcome(s->outcomes, s->n, s->bonus, outcomes, rolls + (size_t)s->roll * SV_LANES);
    }
}

void sv_write_rolls_1(const sv_lattice *t, const sv_choices *c, const double *outcomes, double *x)
{
    double *rolls = x + (size_t)t->first[t->dice] * SV_LANES;
    int n = t->holds - t->first[t->dice];

    for (int r = 0; r < n; r++)
        rolls[(size_t)r * SV_LANES] = outcomes[0];
    for (int i = 0; i < c->n_scored; i++)
        for (const sv_term *p = c->scored[i].terms, *end = p + c->scored[i].n; p < end; p++)
            rolls[p->roll] = sv_better(rolls[p->roll], outcomes[p->outcome / SV_LANES]);
    for (int i = 0; i < c->n_special; i++) {
        const sv_special *s = &c->special[i];
        double best = outcomes[s->outcomes[0]];
        for (int j = 1; j < s->n; j++)
            best = sv_better(best, outcomes[s->outcomes[j]]);
        rolls[(size_t)s->roll * SV_LANES] = best + s->bonus;
    }
}

SV_CLONES
void sv_reroll(const sv_lattice *t, int n, int locked, double *x, double *scratch)
{
    reroll_block(t, n, locked, x, scratch);
}

void sv_reroll_1(const sv_lattice *t, int n, int locked, double *x, double *scratch)
{
    reroll_single(t, n, locked, x, scratch);
}

SV_CLONES
void sv_first_roll(const sv_lattice *t, const sv_choices *c, int rerolls, const double *outcomes, double *x,
                   double *value)
{
    double *rolls = x + (size_t)t->first[t->dice] * SV_LANES;
    int n = t->holds - t->first[t->dice];
    double sum[4][SV_LANES] = {{0}};  /* four at a time: an addition takes several cycles */

    if (rerolls > 0)
        best_within_block(t, t->dice, x);
    for (int i = 0; i < c->n_served; i++)
        better_terms(&c->served[i], outcomes, rolls);
    for (int i = 0; i < c->n_special; i++) {
        const sv_special *s = &c->special[i];
        double best[SV_LANES], *out = rolls + (size_t)s->roll * SV_LANES;
        if (s->n_served == 0)
            continue;
        best_outcome(s->served_outcomes, s->n_served, s->bonus, outcomes, best);
        best_of_1_block(out, best);
    }
    for (int r = 0; r < n; r++)
        add_scaled_block(sum[r % 4], t->chance[r], rolls + (size_t)r * SV_LANES);
    for (int l = 0; l < SV_LANES; l++)
        value[l] = (sum[0][l] + sum[1][l]) + (sum[2][l] + sum[3][l]);
}
