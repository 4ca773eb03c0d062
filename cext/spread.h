/* The chances of all totals, moved on from the sheets of one layer to those with one box more. */
#ifndef SERVIDA_SPREAD_H
#define SERVIDA_SPREAD_H

#include "forward.h"

/* The chances of all totals, given per sheet, moved on by one layer. */
typedef struct {
    double *chance;      /* [live][width], then [settled_width]; NULL while no play leads to the row */
    int width;           /* of a live lane: by points outside the upper total */
    int settled_width;   /* of the settled lane: by all points */
} sv_mass;

/* What a row of sheets adds to the chances of the rows one box further, `mass` being indexed lower * uppers + upper;
 * `ended` (by all points) collects games won at once; tally[o] and tally[g->outcomes + o] collect how often each
 * outcome, without and with the bonus for a further five, is written. Returns 0, or -1 when memory ran out. */
int sv_spread(const sv_game *g, const double *values, int64_t lower, int upper, sv_mass *mass, double *ended,
              double *tally, double *memory);
/* Doubles of working memory sv_spread needs. */
size_t sv_spread_memory(const sv_game *g);
/* The row's arrays, allocated and cleared; 0, or -1 when memory ran out. */
int sv_mass_open(const sv_game *g, sv_mass *mass, int64_t lower, int upper);

#endif
