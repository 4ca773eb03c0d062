#include "ginplay.h"

#include <stddef.h>

/* The cards of a set, the first `wanted` of them shuffled; returns how many there are. */
static int shuffled(sv_cards cards, int wanted, sv_dice dice, uint8_t out[52]) {
    sv_stream stream = sv_open_stream(&dice);
    int n = 0;
    for (; cards != 0; cards &= cards - 1)
        out[n++] = (uint8_t)sv_count((cards & (0 - cards)) - 1);
    for (int i = 0; i < wanted && i < n - 1; i++) {
        if ((uint32_t)(i / 4) != stream.counter[3])
            sv_fill_block(&stream, (uint32_t)(i / 4));
        int k = i + (int)((uint64_t)stream.words[i % 4] * (uint64_t)(n - i) >> 32);  /* as good as even: n is small */
        uint8_t swap = out[i];
        out[i] = out[k], out[k] = swap;
    }
    return n;
}

void sv_shuffle(sv_game_state *state, sv_cards cards, uint64_t seed, uint64_t number) {
    state->next = 0;
    state->end = shuffled(cards, 52, (sv_dice){seed, number, 0}, state->stock);
}

sv_cards sv_random_hand(sv_cards unseen, sv_cards held, int cards, uint64_t seed, uint64_t number) {
    uint8_t order[52];
    int wanted = cards - sv_count(held);
    shuffled(unseen, wanted, (sv_dice){seed, number, 1}, order);
    for (int i = 0; i < wanted; i++)
        held |= (sv_cards)1 << order[i];
    return held;
}

sv_game_state sv_deal_hand(uint64_t seed, uint64_t number, int dealer, int swapped) {
    sv_game_state state = {.mover = 1 - dealer, .offers = 2};
    sv_shuffle(&state, SV_DECK, seed, number);
    for (int i = 0; i < 20; i++)
        state.hand[(i & 1) ^ swapped] |= (sv_cards)1 << state.stock[state.next++];
    state.upcard = state.dead = (sv_cards)1 << state.stock[state.next++];
    return state;
}

sv_view sv_view_of(const sv_game_state *s, int player) {
    sv_view view = {
        s->hand[player], s->dead, s->known[1 - player], s->upcard, 0, s->end - s->next, s->turns[player],
    };
    return view;
}

/* Draws for the mover; returns 0 where the upcard is offered and declined. */
static int draw(sv_game_state *s, const sv_player *player, sv_cards *taken) {
    int mover = s->mover;
    sv_view view = sv_view_of(s, mover);
    int take = !s->forced && sv_wants_upcard(player, &view);
    s->forced = 0, *taken = 0;
    if (take) {
        *taken = s->upcard;
        s->hand[mover] |= s->upcard, s->known[mover] |= s->upcard, s->dead &= ~s->upcard;
        s->offers = 0;
        return 1;
    }
    if (s->offers > 0) {
        s->offers--, s->forced = s->offers == 0, s->mover = 1 - mover;
        return 0;
    }
    s->hand[mover] |= (sv_cards)1 << s->stock[s->next++];
    return 1;
}

static sv_ending show_down(const sv_game_state *s, int knocker) {
    sv_ending ending = {.knocker = knocker};
    sv_cards sets;
    ending.score = sv_showdown(s->hand[knocker], s->hand[1 - knocker], 0, &ending.of_knocker, &ending.of_defender, &sets);
    return ending;
}

sv_ending sv_play_hand(sv_game_state *s, const sv_player players[2], uint32_t (*seen)[128]) {
    for (;;) {
        int mover = s->mover;
        sv_cards taken;
        if (!draw(s, &players[mover], &taken))
            continue;
        sv_view view = sv_view_of(s, mover);
        view.taken = taken, view.upcard = 0;
        sv_move move = sv_choose_discard(&players[mover], &view);
        s->hand[mover] &= ~move.discard, s->known[mover] &= ~move.discard;
        s->dead |= move.discard, s->upcard = move.discard;
        if (seen != NULL)
            seen[s->turns[mover] < SV_MOST_TURNS ? s->turns[mover] : SV_MOST_TURNS - 1][sv_deadwood(s->hand[1 - mover])]++;
        s->turns[mover]++;
        if (move.knock)
            return show_down(s, mover);
        if (s->end - s->next <= 2)
            return (sv_ending){SV_NOBODY, 0, 0, 0};
        s->mover = 1 - mover;
    }
}

int sv_play_match(uint64_t seed, uint64_t first, int dealer, int swapped, int goal, const sv_player players[2],
                  int points[2], int hands[4]) {
    points[0] = points[1] = 0;
    for (uint64_t number = first;; number++) {
        sv_game_state state = sv_deal_hand(seed, number, dealer, swapped);
        sv_ending ending = sv_play_hand(&state, players, NULL);
        hands[0]++;
        if (ending.knocker == SV_NOBODY) {
            hands[1]++;
            continue;
        }
        int winner = ending.score > 0 ? ending.knocker : 1 - ending.knocker;
        hands[2]++, hands[3] += ending.score < 0;
        points[winner] += ending.score > 0 ? ending.score : -ending.score;
        if (points[winner] >= goal)
            return winner;
        dealer = 1 - dealer;
    }
}
