/* A turn played forward: how likely optimal play is to end it with each outcome, for a block of lanes at once.
 *
 * Ties are broken by one rule, here and wherever one option is chosen. Options within SV_TIE of the best are equally
 * good; of those the first is taken in this order: win at once; write where it makes points, the first such box on the
 * sheet; scratch the first box; hold. Of equally good holds: start from all dice and give up one at a time, the highest
 * face first whose loss costs nothing, until what is left is itself worth the best.
 */
#ifndef SERVIDA_FORWARD_H
#define SERVIDA_FORWARD_H

#include "sheet.h"

#define SV_TIE 1e-9

/* The best hold between `held` and `roll` (hold numbers, roll > held) by that rule, but not the roll itself, and its
 * value; x[hold * SV_LANES] is the value of holding it. */
int sv_best_hold(const sv_lattice *t, int roll, int held, const double *x, double *value);

/* What to do about a roll: `box` to write as `outcome` for `points` and `bonus`, or one of these, to hold `hold`. */
enum { SV_OPTION_HOLD = -1, SV_OPTION_WIN = -2 };
typedef struct {
    int box, outcome, hold;
    double points, bonus, value;
} sv_option;

/* The best option for `roll` of a sheet's solved turn, by that rule. `hold` is the best hold and `value` its value, or
 * hold < 0: the roll must be written; outcomes[o * SV_LANES] is the value of writing outcome o. */
sv_option sv_best_option(const sv_game *g, const sv_sheet *s, int roll, int served, int hold, double value,
                         const double *outcomes);

/* Chances are never negative: a row of lanes has none when the sum is 0. */
static inline int sv_is_empty(const double *m)
{
    return ((m[0] + m[1]) + (m[2] + m[3])) + ((m[4] + m[5]) + (m[6] + m[7])) == 0;
}

/* Doubles of working memory the function below needs. */
size_t sv_forward_memory(const sv_game *g);
/* weights[o * SV_LANES + l]: the chance that the turn ends with outcome o; weights[(g->outcomes + o) * ...]: that it
 * does and the bonus for a further five comes with it. For n <= SV_LANES lanes of the row, in any order; further
 * columns are copies, or 0. With hold >= 0 the turn goes on from there: the other dice are thrown, and `left` more rerolls
 * are to come. */
void sv_forward(const sv_game *g, const double *values, int64_t lower, int upper, const int *lanes, int n, int hold,
                int left, double *weights, double *memory);
/* The same for choices and values of outcomes that are handed in, each with a row of its own; where a bonus for a further
 * five comes with an outcome, it has its row after the others and no bonus in the choices (spans.h). `rows` there are. */
void sv_forward_outcomes(const sv_game *g, const sv_choices *c, const double *outcomes, size_t rows, int n, int hold,
                         int left, double *weights, double *memory);

#endif
