# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The kernel for sheets of several columns: see blocks.h."""

import numpy as np

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc

from kernel cimport *

cdef extern from "blocks.h" nogil:
    ctypedef struct sv_column:
        const sv_game *game
        sv_sheet sheet
    ctypedef struct sv_columns:
        sv_column *columns
        int n
        int n_sources
        const sv_source *sources
    size_t sv_columns_memory(const sv_columns *c)
    void sv_solve_columns(const sv_columns *c, double *block, int64_t lower, int upper, double *memory)
    void sv_columns_turn(const sv_columns *c, const double *block, int lane, int rerolls, double *holds,
                         double *outcomes, double *memory)


cdef class Blocks:
    """The columns of a variant, the inner one first.

    `sheets` is everywhere where the others stand, int64 (n - 1, 2) of lower and upper; `moves` what writing their boxes
    leads to: (outcome int32, points float64, block int64), the last of them the addresses of arrays of values.
    """

    cdef list kernels  # own what the games point to
    cdef const sv_game *games[6]
    cdef int n

    def __cinit__(self, list kernels):
        self.kernels = kernels
        self.n = len(kernels)
        for k in range(self.n):
            self.games[k] = <const sv_game *> <size_t> kernels[k].address

    @property
    def outcomes(self):
        """How many outcomes there are: those with the bonus for a further five follow the others."""
        return sv_span_outcomes(self.games[0])

    def moves(self, int column, int64_t lower, int upper, int lane):
        """What writing a box of a column leads to: outcome (int32), what it makes (float64), number of the column's next
        row (int64), an element each."""
        cdef const sv_game *g = self.games[column]
        cdef sv_sheet s = sv_sheet_of(g, lower, upper)
        cdef sv_aim aim
        cdef sv_span_source *list_ = <sv_span_source *> allocated(sv_span_memory(g))
        aim.win, aim.strict, aim.top = 0, 0, -1
        cdef int n = sv_span_sources(g, &aim, &s, lane, list_), i
        outcomes, points, numbers = np.empty(n, np.int32), np.empty(n, np.float64), np.empty(n, np.int64)
        cdef int32_t[::1] outcome = outcomes
        cdef double[::1] made = points
        cdef int64_t[::1] row = numbers
        for i in range(n):
            outcome[i], made[i], row[i] = list_[i].outcome, g.multiplier * list_[i].shift, list_[i].row
        free(list_)
        return outcomes, points, numbers

    def solve(self, double[::1] block, const int64_t[:, ::1] rows, const int64_t[:, ::1] sheets, tuple moves):
        """Solves the rows (lower, upper) of the inner column, those with more boxes written first."""
        cdef turn_from t
        cdef double *memory
        cdef Py_ssize_t i
        begin(self, &t, sheets, moves)
        memory = allocated(sv_columns_memory(&t.all))
        with nogil:
            for i in range(rows.shape[0]):
                sv_solve_columns(&t.all, &block[0], rows[i, 0], <int> rows[i, 1], memory)
        free(memory)
        free(t.sources)

    def turn(self, const double[::1] block, int64_t lower, int upper, int lane, const int64_t[:, ::1] sheets,
             tuple moves, int rerolls, double[::1] holds, double[::1] outcomes):
        """Solves one turn: holds[h] becomes the value of holding h with `rerolls` to come (for 0 only the rolls are
        set), outcomes[o] that of writing each outcome."""
        cdef turn_from t
        cdef double *memory
        cdef double *x
        cdef double *ends
        cdef Py_ssize_t i
        begin(self, &t, sheets, moves)
        t.columns[0].sheet = sv_sheet_of(self.games[0], lower, upper)
        memory = allocated(sv_columns_memory(&t.all) + SV_LANES * (1 + holds.shape[0] + outcomes.shape[0]))
        x = sv_aligned(memory)
        ends = x + SV_LANES * holds.shape[0]
        sv_columns_turn(&t.all, &block[0], lane, rerolls, x, ends, ends + SV_LANES * outcomes.shape[0])
        for i in range(holds.shape[0]):
            holds[i] = x[i * SV_LANES]
        for i in range(outcomes.shape[0]):
            outcomes[i] = ends[i * SV_LANES]
        free(memory)
        free(t.sources)


cdef struct turn_from:
    sv_columns all
    sv_column columns[6]
    sv_source *sources


cdef void begin(Blocks self, turn_from *t, const int64_t[:, ::1] sheets, tuple moves) except *:
    """Sets up a turn: where the other columns stand and what they offer."""
    cdef const int32_t[::1] outcome = moves[0]
    cdef const double[::1] points = moves[1]
    cdef const int64_t[::1] block = moves[2]
    cdef Py_ssize_t i
    t.columns[0].game = self.games[0]
    for i in range(1, self.n):
        t.columns[i].game = self.games[i]
        t.columns[i].sheet = sv_sheet_of(self.games[i], sheets[i - 1, 0], <int> sheets[i - 1, 1])
    t.sources = <sv_source *> allocated((1 + outcome.shape[0]) * sizeof(sv_source) / sizeof(double) + 1)
    for i in range(outcome.shape[0]):
        t.sources[i].outcome, t.sources[i].points = outcome[i], points[i]
        t.sources[i].values = <const double *> <size_t> block[i]
    t.all.columns, t.all.n = t.columns, self.n
    t.all.n_sources, t.all.sources = <int> outcome.shape[0], t.sources


cdef double *allocated(size_t doubles) except NULL:
    cdef double *memory = <double *> malloc(doubles * sizeof(double))
    if memory == NULL:
        raise MemoryError
    return memory
