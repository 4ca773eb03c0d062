/* Two players in turn: the chance to win, for every pair of sheets and every difference of their points.
 *
 * A pair is a row of the one who moves and a row of the other (spans.h); its axis is the points the mover still needs to
 * draw level. Values are kept as the one who moved last sees them: that is who chose to go there. If that is not the
 * mover, the axis is turned around and the chance is 1 - what the mover makes of it. Beside every value may
 * stand the chance of a tie under the same play, which takes as long again.
 */
#ifndef SERVIDA_PAIRS_H
#define SERVIDA_PAIRS_H

#include "spans.h"

/* The pairs that one turn leads to: that of the other's row q and the mover's next row p' is number
 * q * per_other + index[p'] * per_own. */
typedef struct {
    sv_spans values;
    const void *ties;              /* NULL: not wanted */
    const int32_t *index;
    int64_t per_other, per_own;
} sv_pairs;

/* Solves one pair for `width` needs from `low` on: values and ties (if wanted), as the mover sees them. `list` has been
 * placed. */
void sv_solve_pair(const sv_game *g, const sv_pairs *pairs, const sv_aim *aim, const sv_choices *choices,
                   const sv_span_source *list, int n, int low, int width, double *values, double *ties, double *memory);
/* Solves a turn for one need, up to `rerolls` of them to come: x and outcomes are rows of SV_LANES values (all alike), and
 * SV_PLANE behind them ties (0 if not wanted). */
void sv_pair_turn(const sv_game *g, const sv_pairs *pairs, const sv_aim *aim, const sv_choices *choices,
                  const sv_span_source *list, int n, int need, int rerolls, double *x, double *outcomes);
/* Doubles of working memory: holds, scratch and outcomes, each with its ties behind it. */
enum { SV_PAIR_MEMORY = 3 * 2 * SV_PLANE + SV_LANES };

#endif
