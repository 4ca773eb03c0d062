# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The kernel of gin rummy: see gin.h. Hands are checked by `servida.solver.gin` before they are handed in here."""

from libc.stdint cimport int16_t, uint8_t, uint32_t, uint64_t


cdef extern from "gin.h" nogil:
    ctypedef uint64_t sv_cards
    enum: SV_MOST_CARDS
    enum: SV_MOST_CHOICES
    ctypedef struct sv_table:
        sv_cards fourth
        sv_cards runs
    ctypedef struct sv_defence:
        int deadwood
        sv_cards sets
        sv_cards onto_sets
        sv_cards onto_runs
    void sv_gin_init()
    int sv_points(sv_cards cards)
    sv_cards sv_runs(sv_cards cards)
    int sv_without_sets(sv_cards cards)
    uint32_t sv_set_ranks(sv_cards cards)
    int sv_set_choices(sv_cards cards, uint32_t ranks, sv_cards *out)
    int sv_deadwood(sv_cards cards)
    int sv_best_discards(sv_cards cards, sv_cards *out)
    sv_table sv_laid(sv_cards hand, sv_cards sets)
    sv_defence sv_defend(sv_cards hand, sv_table table)
    sv_defence sv_defend_in_order(sv_cards hand, sv_table table)
    int sv_showdown(sv_cards knocker, sv_cards defender, int two_order, int *of_knocker, int *of_defender,
                    sv_cards *sets)

cdef extern from "hidden.h" nogil:
    enum: SV_DEADWOODS
    int sv_hidden(sv_cards unseen, sv_cards held, int cards, sv_table table, uint64_t *count)

cdef extern from "ginplay.h" nogil:
    enum: SV_MOST_TURNS
    ctypedef struct sv_player:
        int keen
        double next
        double gin
        double danger
        double take
        int early
        int limit
        int chase
        int outs
    ctypedef struct sv_view:
        sv_cards hand
        sv_cards dead
        sv_cards theirs
        sv_cards upcard
        sv_cards taken
        int stock
        int turn
    ctypedef struct sv_move:
        sv_cards discard
        int knock
    ctypedef struct sv_game_state:
        sv_cards hand[2]
        sv_cards known[2]
        sv_cards dead
        sv_cards upcard
        uint8_t stock[52]
        int next
        int end
        int mover
        int offers
        int forced
        int turns[2]
    ctypedef struct sv_ending:
        int knocker
        int score
        int of_knocker
        int of_defender
    int sv_wants_upcard(const sv_player *player, const sv_view *view)
    sv_move sv_choose_discard(const sv_player *player, const sv_view *view)
    sv_game_state sv_deal_hand(uint64_t seed, uint64_t number, int dealer, int swapped)
    sv_ending sv_play_hand(sv_game_state *state, const sv_player *players, uint32_t (*seen)[128])
    sv_cards sv_random_hand(sv_cards unseen, sv_cards held, int cards, uint64_t seed, uint64_t number)
    void sv_shuffle(sv_game_state *state, sv_cards cards, uint64_t seed, uint64_t number)
    int sv_play_match(uint64_t seed, uint64_t first, int dealer, int swapped, int goal, const sv_player *players,
                      int *points, int *hands)

sv_gin_init()

cdef sv_cards DECK = (<sv_cards> 1 << 52) - 1
MOST_TURNS = SV_MOST_TURNS
MOST_CARDS = SV_MOST_CARDS


def points(sv_cards cards):
    """The points of cards, melded or not."""
    return sv_points(cards)


def runs(sv_cards cards):
    """The cards that lie in three or more in a row of a suit."""
    return sv_runs(cards)


def deadwood(sv_cards hand):
    """The least deadwood of a hand."""
    return sv_deadwood(hand)


def arrangements(sv_cards hand):
    """The cards in sets, for every choice of sets that leaves the least deadwood."""
    cdef sv_cards choices[SV_MOST_CHOICES]
    cdef int n = sv_set_choices(hand, sv_set_ranks(hand), choices), least = sv_deadwood(hand), i
    return [choices[i] for i in range(n) if sv_without_sets(hand & ~choices[i]) == least]


def defend(sv_cards hand, sv_cards fourth, sv_cards runs, bint two_order):
    """How a defender's hand is best laid down against melds: (deadwood, cards in sets, cards laid off on sets, cards
    laid off on runs). `fourth`: the missing cards of the knocker's sets of three; `runs`: the cards in runs."""
    cdef sv_table table
    table.fourth, table.runs = fourth, runs
    cdef sv_defence found = sv_defend_in_order(hand, table) if two_order else sv_defend(hand, table)
    return found.deadwood, found.sets, found.onto_sets, found.onto_runs


def showdown(sv_cards knocker, sv_cards defender, bint two_order):
    """(score, knocker's deadwood, defender's, the cards in the knocker's sets)."""
    cdef int of_knocker, of_defender
    cdef sv_cards sets = 0
    cdef int score = sv_showdown(knocker, defender, two_order, &of_knocker, &of_defender, &sets)
    return score, of_knocker, of_defender, sets


def hidden(sv_cards unseen, sv_cards held, int cards, sv_cards fourth, sv_cards runs):
    """How many hands there are of every deadwood, 0 to 127, that hold all of `held` and any of `unseen`; `fourth` and
    `runs` as for `defend`."""
    cdef sv_table table
    cdef uint64_t count[SV_DEADWOODS]
    cdef int failed, i
    table.fourth, table.runs = fourth, runs
    with nogil:
        failed = sv_hidden(unseen, held, cards, table, count)
    if failed:
        raise MemoryError
    return [count[i] for i in range(SV_DEADWOODS)]


def deadwoods(const sv_cards[::1] hands, uint8_t[::1] out):
    """out[i]: the least deadwood of hands[i]."""
    cdef Py_ssize_t i
    with nogil:
        for i in range(hands.shape[0]):
            out[i] = <uint8_t> sv_deadwood(hands[i])


def best_discards_of(const sv_cards[::1] hands, uint8_t[::1] out, sv_cards[::1] ties):
    """The least deadwood after a discard from each hand, and the cards whose discard leaves it."""
    cdef Py_ssize_t i
    with nogil:
        for i in range(hands.shape[0]):
            out[i] = <uint8_t> sv_best_discards(hands[i], &ties[i])


def showdowns(const sv_cards[::1] knockers, const sv_cards[::1] defenders, bint two_order, int16_t[::1] score,
              uint8_t[::1] of_knocker, uint8_t[::1] of_defender):
    """The showdown of each knocker with the defender of the same number."""
    cdef Py_ssize_t i
    cdef int k, d
    cdef sv_cards sets
    with nogil:
        for i in range(knockers.shape[0]):
            score[i] = <int16_t> sv_showdown(knockers[i], defenders[i], two_order, &k, &d, &sets)
            of_knocker[i], of_defender[i] = <uint8_t> k, <uint8_t> d


cdef sv_player player_of(dict policy) except *:
    cdef sv_player player
    player.keen = policy["keen"]
    player.next, player.gin, player.danger = policy["next"], policy["gin"], policy["danger"]
    player.take = policy["take"]
    player.early, player.limit = policy["early"], policy["limit"]
    player.chase, player.outs = policy["chase"], policy["outs"]
    return player


def play_matches(dict first, dict second, uint64_t seed, Py_ssize_t begin, int goal, uint8_t[::1] winner,
                 int16_t[:, ::1] points):
    """Plays matches numbered from `begin`: 2k and 2k + 1 have the same deals, with the hands and the first deal changed
    over. Out: who won each, 0 or 1, and both players' points. Returns (hands, void, knocks, undercuts)."""
    cdef sv_player players[2]
    cdef int hands[4]
    cdef int of_match[2]
    cdef Py_ssize_t i
    cdef uint64_t number
    players[0], players[1] = player_of(first), player_of(second)
    hands[0] = hands[1] = hands[2] = hands[3] = 0
    with nogil:
        for i in range(winner.shape[0]):
            number = <uint64_t> (begin + i)
            winner[i] = <uint8_t> sv_play_match(seed, number // 2 * 4096, <int> (number & 1), <int> (number & 1), goal,
                                                players, of_match, hands)
            points[i, 0], points[i, 1] = <int16_t> of_match[0], <int16_t> of_match[1]
    return hands[0], hands[1], hands[2], hands[3]


def defend_all(const sv_cards[::1] hands, sv_cards fourth, sv_cards runs, uint8_t[::1] out):
    """out[i]: the least deadwood of hands[i] against melds; see `defend`."""
    cdef sv_table table
    cdef Py_ssize_t i
    table.fourth, table.runs = fourth, runs
    with nogil:
        for i in range(hands.shape[0]):
            out[i] = <uint8_t> sv_defend(hands[i], table).deadwood


def random_hands(sv_cards unseen, sv_cards held, int cards, uint64_t seed, sv_cards[::1] out):
    """Fills `out` with random hands of so many cards that hold all of `held` and any of `unseen`."""
    cdef Py_ssize_t i
    with nogil:
        for i in range(out.shape[0]):
            out[i] = sv_random_hand(unseen, held, cards, seed, <uint64_t> i)


def deadwood_in_play(dict first, dict second, uint64_t seed, Py_ssize_t hands, uint32_t[:, ::1] seen):
    """Plays hands; seen[t, d] counts how often, after turn t of a player, the other had deadwood d."""
    cdef sv_player players[2]
    cdef sv_game_state state
    cdef Py_ssize_t i
    players[0], players[1] = player_of(first), player_of(second)
    with nogil:
        for i in range(hands):
            state = sv_deal_hand(seed, <uint64_t> i, <int> (i & 1), 0)
            sv_play_hand(&state, players, <uint32_t (*)[128]> &seen[0, 0])


def play_on(sv_cards hand, const sv_cards[::1] hidden, sv_cards dead, sv_cards upcard, sv_cards taken, int turn,
            dict first, dict second, uint64_t seed, int16_t[::1] score):
    """score[i]: what the player of `hand`, just after discarding `upcard`, scores in the end against hidden[i], less
    than zero where the other scores. The stock is shuffled with number i of the seed."""
    cdef sv_player players[2]
    cdef sv_game_state state
    cdef sv_ending ending
    cdef Py_ssize_t i
    players[0], players[1] = player_of(first), player_of(second)
    with nogil:
        for i in range(hidden.shape[0]):
            state.hand[0], state.hand[1], state.known[0], state.known[1] = hand, hidden[i], 0, taken
            state.dead, state.upcard, state.mover, state.offers, state.forced = dead | upcard, upcard, 1, 0, 0
            state.turns[0] = state.turns[1] = turn
            sv_shuffle(&state, DECK & ~(hand | hidden[i] | state.dead), seed, <uint64_t> i)
            if state.end <= 2:
                score[i] = 0
                continue
            ending = sv_play_hand(&state, players, NULL)
            score[i] = <int16_t> (ending.score if ending.knocker == 0 else -ending.score)


def deal(uint64_t seed, uint64_t number):
    """A shuffled deck: two hands, the upcard (a set of one), and the stock in order."""
    cdef sv_game_state state = sv_deal_hand(seed, number, 0, 0)
    return state.hand[0], state.hand[1], state.upcard, [state.stock[i] for i in range(state.next, state.end)]


cdef sv_view view_of(tuple view):
    cdef sv_view v
    v.hand, v.dead, v.theirs, v.upcard, v.taken, v.stock, v.turn = view
    return v


def wants_upcard(dict policy, tuple view):
    """Whether a policy takes the upcard; `view` has the fields of sv_view."""
    cdef sv_player player = player_of(policy)
    cdef sv_view v = view_of(view)
    return bool(sv_wants_upcard(&player, &v))


def choose_discard(dict policy, tuple view):
    """What a policy discards, a set of one, and whether it knocks."""
    cdef sv_player player = player_of(policy)
    cdef sv_view v = view_of(view)
    cdef sv_move move = sv_choose_discard(&player, &v)
    return move.discard, bool(move.knock)
