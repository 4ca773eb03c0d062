/* Many games played with random dice, a turn of all of them at a time.
 *
 * A game in play is one number, (sheet << SV_GAME_BITS) | its number within the batch, the sheet being the index of its
 * value in the table. Sorted, games on the same sheet lie together: the turn from each sheet is solved once, for up to
 * SV_LANES sheets of a row at a time, and what is best to do with a roll is looked up once.
 *
 * A policy is the table that values are read from: of the options of a turn the best by those values is taken, ties
 * broken as told in forward.h.
 */
#ifndef SERVIDA_SIMULATE_H
#define SERVIDA_SIMULATE_H

#include "dice.h"
#include "forward.h"

enum { SV_GAME_BITS = 20 };

/* Doubles of working memory sv_play_turn needs. */
size_t sv_play_memory(const sv_game *g);
/* Plays one turn of n sorted games, all with as many boxes written. `first` is the dice of the batch's game 0 in this
 * turn. Each game moves on to its next sheet, or, won outright, to the number of values in the table (`ended`), and its
 * points are added to score[number within the batch]. Games that have ended stay as they are. */
void sv_play_turn(const sv_game *g, const double *values, uint64_t ended, const sv_dice *first, uint64_t *games,
                  size_t n, int32_t *score, double *memory);
/* Sorts n games by their sheets, all less than or equal to `ended`; `room` for n. */
void sv_sort_games(uint64_t *games, size_t n, uint64_t ended, uint64_t *room);

#endif
