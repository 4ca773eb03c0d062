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

sv_gin_init()

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


def best_discards(sv_cards hand):
    """The least deadwood after a discard, and the set of cards whose discard leaves it."""
    cdef sv_cards ties
    cdef int least = sv_best_discards(hand, &ties)
    return least, ties


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
