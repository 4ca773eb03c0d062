#include "gin.h"

sv_suit sv_suits[8192];
uint8_t sv_suit_deadwood[8192];
uint8_t sv_suit_points[8192];

static int points_of_suit(uint32_t suit) {
    int points = 0;
    for (int rank = 0; rank < 13; rank++)
        if (suit >> rank & 1)
            points += rank < 9 ? rank + 1 : 10;
    return points;
}

void sv_gin_init(void) {
    for (uint32_t suit = 0; suit < 8192; suit++)
        sv_suit_points[suit] = (uint8_t)points_of_suit(suit);
    for (uint32_t suit = 0; suit < 8192; suit++)
        sv_suits[suit].deadwood = sv_suit_deadwood[suit] = sv_suit_points[suit & ~(uint32_t)sv_runs(suit)];
    for (uint32_t suit = 0; suit < 8192; suit++) {
        sv_suit *s = &sv_suits[suit];
        s->fall = SV_NO_CARD, s->ties = 0;
        for (int rank = 0; rank < 13; rank++) {
            if (!(suit >> rank & 1))
                continue;
            int fall = s->deadwood - sv_suit_deadwood[suit ^ 1u << rank];
            if (fall > s->fall)
                s->fall = (int8_t)fall, s->ties = 0;
            if (fall == s->fall)
                s->ties |= (uint16_t)(1u << rank);
        }
    }
}

int sv_set_choices(sv_cards cards, uint32_t ranks, sv_cards *out) {
    int n = 1;
    out[0] = 0;
    for (int rank = 0; ranks >> rank != 0; rank++) {
        if (!(ranks >> rank & 1))
            continue;
        sv_cards all = cards & SV_RANK << rank, options[5] = {all};
        int old = n, count = 1;
        if (all == SV_RANK << rank)
            for (int suit = 0; suit < 4; suit++)
                options[count++] = all & ~((sv_cards)1 << (13 * suit + rank));
        for (int k = 0; k < count; k++)
            for (int i = 0; i < old; i++)
                out[n++] = out[i] | options[k];
    }
    return n;
}

int sv_deadwood_of_sets(sv_cards cards, uint32_t ranks) {
    sv_cards choices[SV_MOST_CHOICES];
    int n = sv_set_choices(cards, ranks, choices), best = sv_without_sets(cards);
    for (int i = 1; i < n; i++) {
        int deadwood = sv_without_sets(cards & ~choices[i]);
        best = deadwood < best ? deadwood : best;
    }
    return best;
}

/* Beats or ties `best` with discards from what the sets leave; runs stay as they are or lose the card. */
SV_INLINE void discard_from(sv_cards rest, int *best, sv_cards *out) {
    int deadwood = sv_without_sets(rest), fall = SV_NO_CARD;
    if (deadwood - 10 > *best)  /* no card counts more */
        return;
    sv_suit s[4];
    for (int suit = 0; suit < 4; suit++) {
        s[suit] = sv_suits[rest >> 13 * suit & SV_SUIT];
        fall = s[suit].fall > fall ? s[suit].fall : fall;
    }
    if (fall == SV_NO_CARD || deadwood - fall > *best)
        return;
    sv_cards ties = 0;
    for (int suit = 0; suit < 4; suit++)
        ties |= (sv_cards)(s[suit].fall == fall ? s[suit].ties : 0) << 13 * suit;
    *out = deadwood - fall < *best ? ties : *out | ties;
    *best = deadwood - fall;
}

int sv_best_discards(sv_cards cards, sv_cards *out) {
    int best = 1000;
    uint32_t ranks = sv_set_ranks(cards);
    *out = 0;
    if (ranks == 0) {
        discard_from(cards, &best, out);
        return best;
    }
    sv_cards choices[SV_MOST_CHOICES];
    for (int i = sv_set_choices(cards, ranks, choices) - 1; i >= 0; i--)  /* many sets first: most others are worse */
        discard_from(cards & ~choices[i], &best, out);
    return best;
}
