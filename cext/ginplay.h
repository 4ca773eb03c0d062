/* Hands of gin rummy played by policies: drawing, discarding, knocking, until somebody has knocked or the hand is void.
 *
 * The hand begins with an upcard, offered to the player who did not deal, then to the dealer; after that each turn is a
 * card from the stock or the upcard, and a discard. A card just taken from the pile is not discarded at once. A hand is
 * void when nobody has knocked and two cards are left in the stock. */
#ifndef SERVIDA_GINPLAY_H
#define SERVIDA_GINPLAY_H

#include "dice.h"
#include "gin.h"

#define SV_NOBODY (-1)
#define SV_MOST_TURNS 16  /* of one player in a hand; later ones count as the last */

/* What a player sees. */
typedef struct {
    sv_cards hand;
    sv_cards dead;    /* all cards discarded, the upcard included */
    sv_cards theirs;  /* cards the other player has taken from the pile and still holds */
    sv_cards upcard, taken;  /* one card or none: on the pile, and just taken from it */
    int stock, turn;  /* cards in the stock, own turns so far */
} sv_view;

/* How a player plays. The simple one knocks as soon as possible, discards the highest card in no meld and takes the
 * upcard only into a meld. The keen one weighs, for every discard, the deadwood now and after the next card, and how
 * likely the card is of use to the other player. */
typedef struct {
    int keen;
    double next;     /* weight of the mean deadwood after the next draw, beside the deadwood now at 1 */
    double gin;      /* points by which gin counts as less than no deadwood in that mean */
    double danger;   /* points that a discard the other player can meld costs */
    double take;     /* by how much the upcard must beat the mean of the stock */
    int early, limit;    /* up to turn `early` knock with 10 or less; later with `limit` or less */
    int chase, outs;     /* up to turn `chase`, play on for gin with so many outs to it */
} sv_player;

typedef struct {
    sv_cards discard;
    int knock;
} sv_move;

int sv_wants_upcard(const sv_player *player, const sv_view *view);
sv_move sv_choose_discard(const sv_player *player, const sv_view *view);

/* A hand in play. */
typedef struct {
    sv_cards hand[2], known[2];  /* known: cards seen taken from the pile and still held */
    sv_cards dead, upcard;
    uint8_t stock[52];
    int next, end;    /* the stock is stock[next..end - 1] */
    int mover, offers;  /* offers: how many may still take the first upcard before the stock is drawn from */
    int forced;         /* the first draw after both have passed is from the stock */
    int turns[2];
} sv_game_state;

typedef struct {
    int knocker;  /* or SV_NOBODY: void */
    int score;    /* the knocker's */
    int of_knocker, of_defender;  /* deadwood */
} sv_ending;

/* Deal number `number` of the seed: ten cards each, an upcard, the other player than the dealer to move. `swapped`: each
 * player gets the other's cards. */
sv_game_state sv_deal_hand(uint64_t seed, uint64_t number, int dealer, int swapped);

/* Plays on until the hand ends. `seen[t][d]`, unless NULL: counts how often, after turn t of a player who did not end
 * the hand with it, or did, the other player had deadwood d. */
sv_ending sv_play_hand(sv_game_state *state, const sv_player players[2], uint32_t (*seen)[128]);

/* Puts cards into the stock, shuffled with number `number` of the seed. */
void sv_shuffle(sv_game_state *state, sv_cards cards, uint64_t seed, uint64_t number);

/* A random set of so many cards that holds all of `held` and any of `unseen`. */
sv_cards sv_random_hand(sv_cards unseen, sv_cards held, int cards, uint64_t seed, uint64_t number);

sv_view sv_view_of(const sv_game_state *state, int player);

/* A match to `goal` points with deals numbered from `first`; deal `first` is `dealer`'s. Returns the winner, and adds up
 * hands[0..3]: hands, void ones, knocks of both, undercuts. */
int sv_play_match(uint64_t seed, uint64_t first, int dealer, int swapped, int goal, const sv_player players[2],
                  int points[2], int hands[4]);

#endif
