/* The chances of all totals when play aims at something else than points (spans.h): moved on from layer to layer.
 *
 * Where nothing is left to decide for the aim, play goes on for points: the chances are handed over to spread.h.
 */
#ifndef SERVIDA_PURSUE_H
#define SERVIDA_PURSUE_H

#include "spans.h"
#include "spread.h"

/* What is pursued from where: `total` is what need 0 stands for; pursuit[row] (or NULL) are a row's chances, by points
 * outside the upper total in live lanes, by all points in settled ones. */
typedef struct {
    const sv_spans *spans;
    const sv_aim *aim;
    int total;
    double **pursuit;
} sv_chase;

/* The row's chances, allocated and cleared where need be; NULL when memory ran out. */
double *sv_pursuit(const sv_game *g, const sv_chase *chase, int64_t lower, int upper, int lane);
/* Moves a row's chances on by one turn, or hands them over to `mass`; `ended` and `tally` as in spread.h. Returns 0, or
 * -1 when memory ran out. */
int sv_pursue(const sv_game *g, const sv_chase *chase, int64_t lower, int upper, int lane, sv_masses *mass, double *ended,
              double *tally, double *memory);
/* Doubles of working memory it needs. */
size_t sv_pursue_memory(const sv_game *g);

#endif
