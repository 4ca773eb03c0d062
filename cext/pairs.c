#include "pairs.h"

#include "portable.h"

#include <math.h>
#include <string.h>

#define REAL double
#define LANES SV_LANES
#define STEP(x) sv_##x##_p
#define NAME(x) x##_doubles
#include "pairs_lanes.h"
#undef REAL
#undef LANES
#undef STEP
#undef NAME
#define REAL float
#define LANES SV_FLOATS
#define STEP(x) sv_##x##_pf
#define NAME(x) x##_floats
#include "pairs_lanes.h"

void sv_solve_pair(const sv_game *g, const sv_pairs *pairs, const sv_aim *aim, const sv_choices *choices,
                   const sv_span_source *list, int n, int low, int width, double *values, double *ties, double *memory)
{
    double *room = sv_aligned(memory);
    if (!pairs->ties)
        sv_solve_needs(g, &pairs->values, aim, choices, list, n, low, width, values, room);
    else if (pairs->values.is_float)
        solve_floats(g, pairs, aim, choices, list, n, low, width, values, ties, (float *)room);
    else
        solve_doubles(g, pairs, aim, choices, list, n, low, width, values, ties, room);
}

void sv_pair_turn(const sv_game *g, const sv_pairs *pairs, const sv_aim *aim, const sv_choices *choices,
                  const sv_span_source *list, int n, int need, int rerolls, double *x, double *outcomes)
{
    double *scratch = outcomes + 2 * SV_PLANE;
    int is_float = pairs->values.is_float;

    fill_doubles(aim->win, 0, outcomes + SV_WIN * SV_LANES);
    fill_doubles(-INFINITY, 0, outcomes + SV_SCRATCH * SV_LANES);
    for (int i = 0; i < n; i++) {
        int64_t at = list[i].start + sv_clamp(need - list[i].shift - list[i].low, 0, list[i].width - 1);
        double *out = outcomes + (size_t)list[i].outcome * SV_LANES;
        double tie = pairs->ties ? sv_number(pairs->ties, is_float, at) : 0;
        fill_doubles(sv_number(pairs->values.values, is_float, at), tie, out);
        if (list[i].scratch)
            raise_to_doubles(out, outcomes + SV_SCRATCH * SV_LANES);
    }
    sv_write_rolls_p(&g->lattice, choices, SV_LANES, outcomes, x);
    for (int r = 1; r <= rerolls; r++)
        sv_reroll_p(&g->lattice, r, g->locked, SV_LANES, x, scratch);
}
