#include "ginplay.h"

#define LAST_TAKEN 40  /* the turn from which no policy takes the upcard: two that always do would never end */

/* The lowest card of a set. */
SV_INLINE sv_cards lowest(sv_cards cards) { return cards & (0 - cards); }

SV_INLINE sv_cards unseen_by(const sv_view *v) { return SV_DECK & ~v->hand & ~v->dead & ~v->theirs; }

/* The least deadwood after drawing `card` and discarding another. */
static int after_taking(sv_cards hand, sv_cards card) {
    int best = 1000;
    for (sv_cards left = hand; left != 0; left &= left - 1) {
        int deadwood = sv_deadwood((hand | card) & ~lowest(left));
        best = deadwood < best ? deadwood : best;
    }
    return best;
}

/* The mean of the least deadwood after a card from `stock` and a discard, gin counting as less than none. */
static double mean_next(sv_cards hand, sv_cards stock, double gin) {
    double sum = 0;
    int n = 0;
    sv_cards ties;
    for (; stock != 0; stock &= stock - 1, n++) {
        int deadwood = sv_best_discards(hand | lowest(stock), &ties);
        sum += deadwood == 0 ? -gin : deadwood;
    }
    return n == 0 ? sv_deadwood(hand) : sum / n;
}

static int gin_outs(sv_cards hand, sv_cards stock) {
    int n = 0;
    sv_cards ties;
    for (; stock != 0; stock &= stock - 1)
        n += sv_best_discards(hand | lowest(stock), &ties) == 0;
    return n;
}

/* Whether a card is part of some meld of the hand it joins. */
static int melds_with(sv_cards hand, sv_cards card) {
    sv_cards all = hand | card;
    if (sv_runs(all) & card)
        return 1;
    for (int rank = 0; rank < 13; rank++)
        if (card & SV_RANK << rank)
            return sv_count(all & SV_RANK << rank) >= 3;
    return 0;
}

int sv_wants_upcard(const sv_player *player, const sv_view *v) {
    if (v->turn >= LAST_TAKEN)
        return 0;
    if (!player->keen)
        return melds_with(v->hand, v->upcard);
    int with = after_taking(v->hand, v->upcard);
    if (with == 0)
        return 1;
    return with <= mean_next(v->hand, unseen_by(v), player->gin) - player->take;
}

/* How likely, roughly, the other player holds two cards that meld with this one. */
static double danger_of(sv_cards card, const sv_view *v) {
    sv_cards unseen = unseen_by(v);
    double held = 10.0 - sv_count(v->theirs), chance = held / (sv_count(unseen) + 1e-9), sum = 0;
    int at = sv_count(card - 1), rank = at % 13, base = at - rank;
    double same[4], beside[5] = {0, 0, 0, 0, 0};
    int n = 0;
    for (int suit = 0; suit < 4; suit++) {
        sv_cards other = (sv_cards)1 << (13 * suit + rank);
        if (other != card)
            same[n++] = v->theirs & other ? 1.0 : unseen & other ? chance : 0.0;
    }
    sum += same[0] * same[1] + same[0] * same[2] + same[1] * same[2] - 2 * same[0] * same[1] * same[2];
    for (int d = -2; d <= 2; d++) {
        sv_cards other = rank + d < 0 || rank + d > 12 ? 0 : (sv_cards)1 << (base + rank + d);
        beside[d + 2] = v->theirs & other ? 1.0 : unseen & other ? chance : 0.0;
    }
    sum += beside[0] * beside[1] + beside[1] * beside[3] + beside[3] * beside[4];
    return sum > 1.0 ? 1.0 : sum;
}

/* The discard that leaves the least deadwood, the highest of such; never the card just taken. */
static sv_cards least_discard(const sv_view *v, int *deadwood) {
    sv_cards best = 0;
    *deadwood = 1000;
    for (sv_cards left = v->hand & ~v->taken; left != 0; left &= left - 1) {
        sv_cards card = lowest(left);
        int found = sv_deadwood(v->hand & ~card);
        if (found < *deadwood || (found == *deadwood && sv_points(card) > sv_points(best)))
            *deadwood = found, best = card;
    }
    return best;
}

/* The highest card in no meld of the best arrangement of all cards; none where all are melded. */
static sv_cards highest_unmatched(const sv_view *v) {
    sv_cards choices[SV_MOST_CHOICES], best = 0;
    int n = sv_set_choices(v->hand, sv_set_ranks(v->hand), choices), least = sv_deadwood(v->hand);
    for (int i = 0; i < n; i++) {
        sv_cards rest = v->hand & ~choices[i];
        if (sv_without_sets(rest) != least)
            continue;
        for (sv_cards left = rest & ~sv_runs(rest) & ~v->taken; left != 0; left &= left - 1)
            if (best == 0 || sv_points(lowest(left)) > sv_points(best))
                best = lowest(left);
        break;
    }
    return best;
}

static int knocks(const sv_player *player, const sv_view *v, sv_cards hand, int deadwood) {
    if (deadwood > SV_MOST_KNOCK)
        return 0;
    if (deadwood == 0)
        return 1;
    if (deadwood > (v->turn < player->early ? SV_MOST_KNOCK : player->limit))
        return 0;
    return v->turn >= player->chase || gin_outs(hand, unseen_by(v)) < player->outs;
}

static sv_cards weighed_discard(const sv_player *player, const sv_view *v, int least) {
    sv_cards best = 0, unseen = unseen_by(v);
    double lowest_cost = 1e9;
    for (sv_cards left = v->hand & ~v->taken; left != 0; left &= left - 1) {
        sv_cards card = lowest(left), hand = v->hand & ~card;
        int deadwood = sv_deadwood(hand);
        if (deadwood > least + 12)
            continue;
        double cost = deadwood + player->danger * danger_of(card, v) + player->next * mean_next(hand, unseen, player->gin)
            - 1e-6 * sv_points(card);
        if (cost < lowest_cost)
            lowest_cost = cost, best = card;
    }
    return best;
}

sv_move sv_choose_discard(const sv_player *player, const sv_view *v) {
    int least;
    sv_move move = {least_discard(v, &least), 0};
    if (!player->keen) {
        move.knock = least <= SV_MOST_KNOCK;
        sv_cards highest = move.knock ? 0 : highest_unmatched(v);
        move.discard = highest ? highest : move.discard;
        return move;
    }
    move.knock = knocks(player, v, v->hand & ~move.discard, least);
    if (!move.knock)
        move.discard = weighed_discard(player, v, least);
    return move;
}
