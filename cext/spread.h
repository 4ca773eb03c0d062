/* The chances of all totals, moved on from the sheets of one layer to those with one box more. */
#ifndef SERVIDA_SPREAD_H
#define SERVIDA_SPREAD_H

#include "mass.h"

/* Play goes on from that sheet with so many points (those outside the upper total in live lanes, else all) and this
 * chance more; 0, or -1 when memory ran out. */
int sv_spread_begin(const sv_game *g, sv_masses *mass, int64_t lower, int upper, int lane, int points, double chance);
/* Moves what a row of sheets has on to the rows one box further; `ended` (by all points) collects games won at once;
 * tally[o] and tally[g->outcomes + o] collect how often each outcome, without and with the bonus for a further five,
 * is written. Returns 0, or -1 when memory ran out. */
int sv_spread(const sv_game *g, const double *values, int64_t lower, int upper, sv_masses *mass, double *ended,
              double *tally, double *memory);
/* A row of full sheets adds to `ended`. */
void sv_spread_end(const sv_game *g, const sv_masses *mass, int64_t lower, int upper, double *ended);
/* Doubles of working memory sv_spread needs. */
size_t sv_spread_memory(const sv_game *g);

#endif
