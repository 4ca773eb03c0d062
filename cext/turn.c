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
#if defined(__GNUC__) && !defined(SERVIDA_PORTABLE)
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

SV_CLONES
void sv_turn(const sv_lattice *t, const sv_choices *c, int rolls, int locked, int lanes, const double *outcomes,
             double *x, double *scratch, double *value)
{
    if (lanes <= SV_LANES / 2)
        turn_half(t, c, rolls, locked, outcomes, x, scratch, value);
    else
        turn_block(t, c, rolls, locked, outcomes, x, scratch, value);
}

void sv_write_rolls_1(const sv_lattice *t, const sv_choices *c, const double *outcomes, double *x)
{
    write_rolls_1(t, c, outcomes, x);
}

SV_CLONES
void sv_reroll(const sv_lattice *t, int n, int locked, double *x, double *scratch)
{
    reroll_block(t, n, locked, x, scratch);
}

void sv_reroll_1(const sv_lattice *t, int n, int locked, double *x, double *scratch)
{
    reroll_1(t, n, locked, x, scratch);
}
