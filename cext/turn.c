#include "turn.h"

#include "portable.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define REAL double
#define STRIDE SV_LANES
#define SIXTH(x) ((x) * (1.0 / SV_FACES))
#define LANES SV_LANES
#define NAME(x) x##_block
#include "turn_lanes.h"
#undef LANES
#undef NAME
#define LANES (SV_LANES / 2)
#define NAME(x) x##_half
#include "turn_lanes.h"
#undef LANES
#undef NAME
#define LANES 1
#define NAME(x) x##_1
#include "turn_lanes.h"
#undef LANES
#undef NAME
#define FOLLOWERS
#define LANES SV_LANES
#define NAME(x) x##_pairs
#include "turn_lanes.h"
#undef LANES
#undef NAME
#undef FOLLOWERS
#undef REAL
#undef STRIDE
#undef SIXTH

/* A float next to 1/6 is off by 3e-8, always to the same side: what it lacks is added. */
#define SIXTH_F ((float)(1.0 / SV_FACES))
#define REAL float
#define STRIDE SV_FLOATS
#define SIXTH(x) ((x) * SIXTH_F + (x) * (float)(1.0 / SV_FACES - SIXTH_F))
#define LANES SV_FLOATS
#define NAME(x) x##_floats
#include "turn_lanes.h"
#undef LANES
#undef NAME
#define LANES (SV_FLOATS / 2)
#define NAME(x) x##_half_floats
#include "turn_lanes.h"
#undef LANES
#undef NAME
#define FOLLOWERS
#define LANES SV_FLOATS
#define NAME(x) x##_float_pairs
#include "turn_lanes.h"
#undef LANES
#undef NAME
#undef FOLLOWERS
#undef REAL
#undef STRIDE
#undef SIXTH

/* Functions of their own, and not one for the whole turn: each keeps its pointers in registers. */
SV_CLONES
void sv_write_rolls(const sv_lattice *t, const sv_choices *c, int lanes, const double *outcomes, double *x)
{
    if (lanes <= SV_LANES / 2)
        write_rolls_half(t, c, outcomes, x);
    else
        write_rolls_block(t, c, outcomes, x);
}

SV_CLONES
void sv_reroll(const sv_lattice *t, int n, int locked, int lanes, double *x, double *scratch)
{
    if (lanes <= SV_LANES / 2)
        reroll_half(t, n, locked, x, scratch);
    else
        reroll_block(t, n, locked, x, scratch);
}

SV_CLONES
void sv_serve(const sv_lattice *t, const sv_choices *c, const double *outcomes, double *x)
{
    serve_block(t, c, outcomes, x);
}

SV_CLONES
void sv_best_within(const sv_lattice *t, int dice, double *x)
{
    best_within_block(t, dice, x);
}

SV_CLONES
void sv_first_roll(const sv_lattice *t, const sv_choices *c, int rerolls, int lanes, const double *outcomes, double *x,
                   double *value)
{
    if (lanes <= SV_LANES / 2)
        first_roll_half(t, c, rerolls, outcomes, x, value);
    else
        first_roll_block(t, c, rerolls, outcomes, x, value);
}

SV_CLONES
void sv_write_rolls_f(const sv_lattice *t, const sv_choices *c, int lanes, const float *outcomes, float *x)
{
    if (lanes <= SV_FLOATS / 2)
        write_rolls_half_floats(t, c, outcomes, x);
    else
        write_rolls_floats(t, c, outcomes, x);
}

SV_CLONES
void sv_reroll_f(const sv_lattice *t, int n, int locked, int lanes, float *x, float *scratch)
{
    if (lanes <= SV_FLOATS / 2)
        reroll_half_floats(t, n, locked, x, scratch);
    else
        reroll_floats(t, n, locked, x, scratch);
}

SV_CLONES
void sv_first_roll_f(const sv_lattice *t, const sv_choices *c, int rerolls, int lanes, const float *outcomes, float *x,
                     double *value)
{
    if (lanes <= SV_FLOATS / 2)
        first_roll_half_floats(t, c, rerolls, outcomes, x, value);
    else
        first_roll_floats(t, c, rerolls, outcomes, x, value);
}

#define PAIR_STEPS(REAL, kind, suffix)                                                                                  \
    SV_CLONES                                                                                                          \
    void sv_write_rolls_##suffix(const sv_lattice *t, const sv_choices *c, int lanes, const REAL *outcomes, REAL *x)    \
    {                                                                                                                  \
        (void)lanes;                                                                                                   \
        write_rolls_##kind(t, c, outcomes, x);                                                                         \
    }                                                                                                                  \
    SV_CLONES                                                                                                          \
    void sv_reroll_##suffix(const sv_lattice *t, int n, int locked, int lanes, REAL *x, REAL *scratch)                  \
    {                                                                                                                  \
        (void)lanes;                                                                                                   \
        reroll_##kind(t, n, locked, x, scratch);                                                                       \
    }                                                                                                                  \
    SV_CLONES                                                                                                          \
    void sv_first_roll_##suffix(const sv_lattice *t, const sv_choices *c, int rerolls, int lanes, const REAL *outcomes, \
                                REAL *x, double *value)                                                                \
    {                                                                                                                  \
        (void)lanes;                                                                                                   \
        first_roll_##kind(t, c, rerolls, outcomes, x, value);                                                          \
    }

PAIR_STEPS(double, pairs, p)
PAIR_STEPS(float, float_pairs, pf)

void sv_write_rolls_1(const sv_lattice *t, const sv_choices *c, const double *outcomes, double *x)
{
    write_rolls_1(t, c, outcomes, x);
}

void sv_reroll_1(const sv_lattice *t, int n, int locked, double *x, double *scratch)
{
    reroll_1(t, n, locked, x, scratch);
}
