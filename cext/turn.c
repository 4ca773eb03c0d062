#include "turn.h"

#include "portable.h"

#include <stddef.h>
#include <string.h>

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
void sv_first_roll(const sv_lattice *t, const sv_choices *c, int rerolls, int lanes, const double *outcomes, double *x,
                   double *value)
{
    if (lanes <= SV_LANES / 2)
        first_roll_half(t, c, rerolls, outcomes, x, value);
    else
        first_roll_block(t, c, rerolls, outcomes, x, value);
}

void sv_write_rolls_1(const sv_lattice *t, const sv_choices *c, const double *outcomes, double *x)
{
    write_rolls_1(t, c, outcomes, x);
}

void sv_reroll_1(const sv_lattice *t, int n, int locked, double *x, double *scratch)
{
    reroll_1(t, n, locked, x, scratch);
}
