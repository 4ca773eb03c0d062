/* Gin rummy: hands as bit sets, their melds, and what two hands score against each other.
 *
 * A set of cards is a 64-bit word: bit 13 * suit + rank, suits clubs, diamonds, hearts, spades, ranks ace to king.
 *
 *     bit  51 ......... 39 38 ......... 26 25 ......... 13 12 .......... 0
 *          K  spades    A  K  hearts    A  K  diamonds  A  K   clubs    A
 *
 * Runs lie within a suit, and all cards of three or more in a row are melded: which cards stay deadwood follows from
 * the suit alone and is looked up. Only sets couple the suits. So whatever is best over all melds is best over the
 * few choices of sets, each of which takes its cards out before the four look-ups.
 */
#ifndef SERVIDA_GIN_H
#define SERVIDA_GIN_H

#include <stdint.h>

#include "portable.h"

#define SV_MOST_CARDS 15     /* in a hand */
#define SV_MOST_CHOICES 432  /* of sets in such a hand: three times four of a rank, and three of one */
#define SV_GIN_BONUS 25
#define SV_MOST_KNOCK 10

typedef uint64_t sv_cards;

#define SV_SUIT 0x1FFFu
#define SV_RANK ((sv_cards)1 | (sv_cards)1 << 13 | (sv_cards)1 << 26 | (sv_cards)1 << 39)  /* the four aces */
#define SV_DECK (SV_RANK * SV_SUIT)

/* What a suit comes to with runs alone: points left; the greatest fall of them when one card is discarded (less than
 * zero where every discard breaks a run), and the cards that achieve it. */
typedef struct {
    uint8_t deadwood;
    int8_t fall;
    uint16_t ties;
} sv_suit;

#define SV_NO_CARD (-128)  /* the fall of a suit without cards */

extern sv_suit sv_suits[8192];
extern uint8_t sv_suit_deadwood[8192];  /* the first field by itself: it fits the first-level cache */
extern uint8_t sv_suit_points[8192];    /* points of all cards of a suit, melded or not */

/* A knocker's melds as the defender sees them. */
typedef struct {
    sv_cards fourth;  /* the missing cards of sets of three */
    sv_cards runs;    /* the cards in runs */
} sv_table;

/* How a defender's hand is best laid down: the cards in sets, and those laid off; `sv_runs` finds what else melds. */
typedef struct {
    int deadwood;
    sv_cards sets, onto_sets, onto_runs;
} sv_defence;

void sv_gin_init(void);

/* How many cards. */
SV_INLINE int sv_count(sv_cards cards) {
    int n = 0;
    for (; cards != 0; cards &= cards - 1)
        n++;
    return n;
}

/* Points of cards, melded or not. */
SV_INLINE int sv_points(sv_cards cards) {
    return sv_suit_points[cards & SV_SUIT] + sv_suit_points[cards >> 13 & SV_SUIT]
        + sv_suit_points[cards >> 26 & SV_SUIT] + sv_suit_points[cards >> 39];
}

/* Cards in three or more in a row of a suit. */
SV_INLINE sv_cards sv_runs(sv_cards cards) {
    sv_cards first = cards & cards >> 1 & cards >> 2 & SV_RANK * 0x7FF;  /* ace to jack: a run ends at the king */
    return first | first << 1 | first << 2;
}

/* The cards that can be laid off on runs: those next to one, and those next to these, and so on. */
SV_INLINE sv_cards sv_chained(sv_cards runs, sv_cards cards) {
    sv_cards up = cards & ~SV_RANK, down = cards & ~(SV_RANK << 12);  /* nothing goes on below an ace, above a king */
    sv_cards above = runs << 1 & up, below = runs >> 1 & down;
    for (int step = 1; step < 16; step *= 2) {
        above |= up & above << step;
        up &= up << step;
        below |= down & below >> step;
        down &= down >> step;
    }
    return above | below;
}

/* Points left when runs alone are melded. */
SV_INLINE int sv_without_sets(sv_cards cards) {
    return sv_suit_deadwood[cards & SV_SUIT] + sv_suit_deadwood[cards >> 13 & SV_SUIT]
        + sv_suit_deadwood[cards >> 26 & SV_SUIT] + sv_suit_deadwood[cards >> 39];
}

/* The ranks of which there are three or four cards. */
SV_INLINE uint32_t sv_set_ranks(sv_cards cards) {
    sv_cards d = cards >> 13, h = cards >> 26, s = cards >> 39;
    return (uint32_t)(((cards & d & (h | s)) | (h & s & (cards | d))) & SV_SUIT);
}

/* Every choice of sets in a hand, as the cards in them, the empty choice first; returns how many. */
int sv_set_choices(sv_cards cards, uint32_t ranks, sv_cards *out);

/* The least deadwood of a hand. */
int sv_deadwood_of_sets(sv_cards cards, uint32_t ranks);

SV_INLINE int sv_deadwood(sv_cards cards) {
    uint32_t ranks = sv_set_ranks(cards);
    return ranks == 0 ? sv_without_sets(cards) : sv_deadwood_of_sets(cards, ranks);
}

/* The least deadwood after one card is discarded, and in `out` the cards whose discard leaves it. */
int sv_best_discards(sv_cards cards, sv_cards *out);

/* What lies on the table for the choice `sets` of a knocker's hand. */
sv_table sv_laid(sv_cards hand, sv_cards sets);

/* The defender's least deadwood over all melds and lay-offs at once. */
sv_defence sv_defend(sv_cards hand, sv_table table);

/* The same for the better of two orders: meld for the least deadwood, then lay off; or lay off as many points as can
 * be, then meld. */
sv_defence sv_defend_in_order(sv_cards hand, sv_table table);

/* The knocker's points for deadwood `knocker` against `defender`: less than zero where the defender scores. */
SV_INLINE int sv_score(int knocker, int defender) {
    if (knocker == 0)
        return SV_GIN_BONUS + defender;
    return defender > knocker ? defender - knocker : defender - knocker - SV_GIN_BONUS;
}

/* The knocker's points when the arrangement is, among those of least deadwood, the one best for the knocker; the
 * deadwood of both, and the sets of that arrangement. */
int sv_showdown(sv_cards knocker, sv_cards defender, int two_order, int *of_knocker, int *of_defender, sv_cards *sets);

#endif
