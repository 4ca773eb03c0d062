/* All hands that may be hidden, counted by the deadwood they come to in a showdown.
 *
 * Rank by rank, from the ace: which cards of the rank are in the hand, sixteen cases at most. What has gone before
 * matters only through a profile: for every way the cards so far may be used, whether the block of cards in a row that
 * reaches the rank just passed, in each suit, has one card, two, or is a run already, and how much deadwood is settled.
 * Few profiles differ once ways that can never be best are dropped, and hands with the same profile are counted
 * together. A billion hands become some thousand profiles. */
#ifndef SERVIDA_HIDDEN_H
#define SERVIDA_HIDDEN_H

#include "gin.h"

#define SV_DEADWOODS 128  /* the amounts of deadwood counted: 0 to 127, as many as twelve cards can have */

/* count[d]: how many hands of `cards` cards, twelve at most, have the least deadwood d. Such a hand holds all of `held`,
 * and any of `unseen`; `table` is what lies there to lay off on (all zero: nothing). Returns -1 where memory runs out. */
int sv_hidden(sv_cards unseen, sv_cards held, int cards, sv_table table, uint64_t *count);

#endif
