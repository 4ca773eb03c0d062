# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The kernel for two players in turn: see pairs.h."""

import numpy as np

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc

from kernel cimport *


cdef class Duel:
    """One variant, played to win.

    `pairs` is everywhere what one turn leads to: (values, ties, start, low, width, index, per_other, per_own), see
    sv_pairs; values and ties in one dimension, float32 or float64, the next three per pair, index per row. Where ties is
    None, they are not wanted.
    """

    cdef const sv_game *g
    cdef object kernel  # owns what g points to
    cdef sv_aim aim

    def __cinit__(self, kernel):
        self.kernel = kernel
        self.g = <const sv_game *> <size_t> kernel.address
        self.aim.win, self.aim.strict, self.aim.top = 1, False, -1

    @property
    def outcomes(self):
        """How many outcomes there are: those with the bonus for a further five follow the others."""
        return sv_span_outcomes(self.g)

    def bounds(self, tuple pairs, const int64_t[:, ::1] rows, int others, Py_ssize_t begin, Py_ssize_t end,
               int32_t[::1] low, int32_t[::1] width):
        """The needs that pairs must be solved for: low and width of each of `rows`[begin:end] with each of the
        `others` rows of the other player, row by row."""
        cdef sv_pairs p = pairs_of(pairs)
        cdef sv_span_source *list_ = <sv_span_source *> allocated(sv_span_memory(self.g))
        cdef sv_sheet s
        cdef Py_ssize_t i
        cdef int q, n, first
        with nogil:
            for i in range(begin, end):
                s = sv_sheet_of(self.g, rows[i, 0], <int> rows[i, 1])
                n = sv_span_sources(self.g, &self.aim, &s, <int> rows[i, 2], list_)
                for q in range(others):
                    sv_place_sources(&p.values, p.index, q * p.per_other, p.per_own, list_, n)
                    width[i * others + q] = sv_source_bounds(list_, n, &first)
                    low[i * others + q] = first
        free(list_)

    def solve(self, tuple pairs, const int64_t[:, ::1] rows, int others, Py_ssize_t begin, Py_ssize_t end,
              int32_t[::1] low, int32_t[::1] width, const int64_t[::1] place, values, ties, bint turned, double margin):
        """Solves the pairs of `rows`[begin:end] with the others, as `bounds` found them; values and ties go to
        place[pair] and on. `turned`: as the other player sees them. Decided needs at both ends are dropped (those
        within `margin`), and `low` and `width` say what is left."""
        cdef sv_pairs p = pairs_of(pairs)
        cdef Py_ssize_t i, widest = 1, pair
        cdef int q, n, first, k
        cdef sv_sheet s
        cdef sv_choices choices
        for i in range(begin * others, end * others):
            widest = max(widest, width[i])
        cdef size_t sources = sv_span_memory(self.g)
        cdef double *memory = allocated(sources + SV_PAIR_MEMORY + 2 * widest)
        cdef sv_span_source *list_ = <sv_span_source *> memory
        cdef double *row = memory + sources
        cdef double *even = row + widest
        cdef sink out
        out.narrow = values.dtype == np.float32
        out.values, out.ties = <void *> address_of(values), <void *> address_of(ties)
        with nogil:
            for i in range(begin, end):
                s = sv_sheet_of(self.g, rows[i, 0], <int> rows[i, 1])
                sv_span_choose(self.g, &s, &self.aim, &choices)
                n = sv_span_sources(self.g, &self.aim, &s, <int> rows[i, 2], list_)
                for q in range(others):
                    pair = i * others + q
                    sv_place_sources(&p.values, p.index, q * p.per_other, p.per_own, list_, n)
                    sv_solve_pair(self.g, &p, &self.aim, &choices, list_, n, low[pair], width[pair], row, even,
                                  even + widest)
                    k = sv_trim_span(row, width[pair], margin, &first)
                    low[pair] += first
                    width[pair] = k
                    if turned:
                        low[pair] = -(low[pair] + k - 1)
                    store(&out, row + first, even + first, k, place[pair], turned)
        free(memory)

    def turn(self, tuple pairs, int64_t lower, int upper, int lane, int other, int need, int rerolls,
             double[:, ::1] holds, double[:, ::1] outcomes):
        """Solves one turn against row number `other` of the other player: holds[h] = (value, tie) of holding h with
        `rerolls` to come (for 0 only the rolls are set), outcomes[o] those of writing each outcome."""
        cdef sv_pairs p = pairs_of(pairs)
        cdef sv_sheet s = sv_sheet_of(self.g, lower, upper)
        cdef sv_choices choices
        cdef size_t sources = sv_span_memory(self.g)
        cdef double *memory = allocated(sources + SV_PAIR_MEMORY)
        cdef sv_span_source *list_ = <sv_span_source *> memory
        cdef double *x = sv_aligned(memory + sources)
        cdef double *ends = x + 2 * SV_PLANE
        cdef int n, i
        sv_span_choose(self.g, &s, &self.aim, &choices)
        n = sv_span_sources(self.g, &self.aim, &s, lane, list_)
        sv_place_sources(&p.values, p.index, other * p.per_other, p.per_own, list_, n)
        sv_pair_turn(self.g, &p, &self.aim, &choices, list_, n, need, rerolls, x, ends)
        for i in range(self.g.lattice.holds):
            holds[i, 0], holds[i, 1] = x[i * SV_LANES], x[i * SV_LANES + SV_PLANE]
        for i in range(outcomes.shape[0]):
            outcomes[i, 0], outcomes[i, 1] = ends[i * SV_LANES], ends[i * SV_LANES + SV_PLANE]
        free(memory)


cdef struct sink:
    bint narrow
    void *values
    void *ties


cdef void store(const sink *out, const double *row, const double *even, int n, int64_t place, bint turned) noexcept nogil:
    """Stores solved needs; turned around, the last need comes first, and the chance is the other player's."""
    cdef int k, at
    cdef double value
    for k in range(n):
        at = n - 1 - k if turned else k
        value = 1 - row[at] if turned else row[at]
        if out.narrow:
            (<float *> out.values)[place + k] = <float> value
            if out.ties:
                (<float *> out.ties)[place + k] = <float> even[at]
        else:
            (<double *> out.values)[place + k] = value
            if out.ties:
                (<double *> out.ties)[place + k] = even[at]


cdef sv_pairs pairs_of(tuple pairs) except *:
    values, ties, start, low, width, index, per_other, per_own = pairs
    cdef sv_pairs p
    cdef const int64_t[::1] starts = start
    cdef const int32_t[::1] lows = low, widths = width, numbers = index
    p.values.values, p.ties = <const void *> address_of(values), <const void *> address_of(ties)
    p.values.is_float = values.dtype == np.float32
    p.values.start, p.values.low, p.values.width = &starts[0], &lows[0], &widths[0]
    p.index, p.per_other, p.per_own = &numbers[0], per_other, per_own
    return p


cdef size_t address_of(array) except? 0:
    return 0 if array is None else array.ctypes.data


cdef double *allocated(size_t doubles) except NULL:
    cdef double *memory = <double *> malloc(doubles * sizeof(double))
    if memory == NULL:
        raise MemoryError
    return memory
