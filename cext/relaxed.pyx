# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The kernel for sheets of several columns: see relax.h."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

from kernel cimport *

cdef extern from "relax.h" nogil:
    ctypedef struct sv_prices:
        const double *write
        const double *passing "pass"
        const double *hold
    size_t sv_relax_memory(const sv_game *g)
    void sv_relax_row(const sv_game *g, const sv_prices *p, const double *next_, double *values, int64_t lower,
                      int upper, int may_pass, double *memory)
    ctypedef struct sv_column:
        sv_sheet sheet
        int total
    ctypedef struct sv_team:
        int columns
        int turns
        const sv_game *games[26]
        const double *values[26]
        double multiplier[26]
        int64_t size
        const double *extra
        const double *write
        const double *passing "pass"
        const double *hold
    ctypedef struct sv_tally:
        double *shadow
        int64_t *finals
        int64_t *writes
        int64_t *holds
    ctypedef struct sv_record:
        uint32_t *written
        double *worth
        double *gained
    size_t sv_team_memory(const sv_team *team)
    void sv_play_team(const sv_team *team, uint64_t seed, uint64_t first, size_t n, int turn, sv_column *columns,
                      double *points, const sv_tally *tally, const sv_record *record, double *memory)
    void sv_team_turn(const sv_team *team, int turn, const sv_column *columns, int rerolls, double *holds,
                      double *outcomes, double *memory)


def solve_rows(kernel, const double[:, ::1] following, double[:, ::1] values, const int64_t[:, ::1] rows, bint may_pass,
               const double[::1] write, const double[::1] passing, const double[:, ::1] hold):
    """Solves the rows (lower, upper) of one column before a turn, from `following`, the values before the next one.

    `write` and `passing`: the prices per roll; `hold`: those per rerolls to come and hold, or None."""
    cdef const sv_game *g = <const sv_game *> <size_t> kernel.address
    cdef sv_prices prices
    cdef Py_ssize_t i
    cdef double *memory = allocated(sv_relax_memory(g))
    prices.write, prices.passing = &write[0], &passing[0]
    prices.hold = NULL if hold is None else &hold[0, 0]
    with nogil:
        for i in range(rows.shape[0]):
            sv_relax_row(g, &prices, &following[0, 0], &values[0, 0], rows[i, 0], <int> rows[i, 1], may_pass, memory)
    free(memory)


cdef class Team:
    """Columns that play together, or one relaxed column by itself.

    `values`: per column float64 (turns + 1, lowers, slots). `extra`: (turns, columns, boxes, columns + 1) or None.
    `prices`: (write, pass, hold) of one relaxed column, by turn, hold or None; None for a team.
    """

    cdef sv_team team
    cdef list alive  # what the C struct points into

    def __cinit__(self, list kernels, list values, const double[::1] multipliers, extra, prices):
        cdef const double[:, :, ::1] table
        cdef const double[:, :, :, ::1] added
        cdef const double[:, ::1] write, passing
        cdef const double[:, :, ::1] hold
        self.alive = [kernels, values, extra, prices]
        self.team.columns = len(kernels)
        for k in range(len(kernels)):
            table = values[k]
            self.team.games[k] = <const sv_game *> <size_t> kernels[k].address
            self.team.values[k] = &table[0, 0, 0]
            self.team.multiplier[k] = multipliers[k]
        self.team.turns = table.shape[0] - 1
        self.team.size = table.shape[1] * table.shape[2]
        self.team.extra = self.team.write = self.team.passing = self.team.hold = NULL
        if extra is not None:
            added = extra
            self.team.extra = &added[0, 0, 0, 0]
        if prices is not None:
            write, passing = prices[0], prices[1]
            self.team.write, self.team.passing = &write[0, 0], &passing[0, 0]
            if prices[2] is not None:
                hold = prices[2]
                self.team.hold = &hold[0, 0, 0]

    def play(self, uint64_t seed, uint64_t first, int turn, const int64_t[:, ::1] sheets, double[::1] points,
             shadow=None, tally=None, record=None):
        """Plays len(points) games, the first of them number `first`, from turn `turn` on.

        `sheets`: per column (lower, upper, total) before it; `points` is added to. See sv_tally and sv_record for
        `shadow`, `tally` (finals, writes, holds) and `record` (written, worth, gained), each array C-contiguous."""
        cdef Py_ssize_t n = points.shape[0], i, k, columns = self.team.columns
        cdef sv_tally counts
        cdef sv_record seen
        cdef double *memory = allocated(sv_team_memory(&self.team) + n * columns * sizeof(sv_column) / sizeof(double) + 8)
        cdef sv_column *own = <sv_column *> (memory + sv_team_memory(&self.team))
        counts.shadow = <double *> address_of(shadow)
        counts.finals, counts.writes, counts.holds = NULL, NULL, NULL
        seen.written, seen.worth, seen.gained = NULL, NULL, NULL
        if tally is not None:
            counts.finals, counts.writes = <int64_t *> address_of(tally[0]), <int64_t *> address_of(tally[1])
            counts.holds = <int64_t *> address_of(tally[2])
        if record is not None:
            seen.written, seen.worth = <uint32_t *> address_of(record[0]), <double *> address_of(record[1])
            seen.gained = <double *> address_of(record[2])
        with nogil:
            for k in range(columns):
                own[k].sheet = sv_sheet_of(self.team.games[k], sheets[k, 0], <int> sheets[k, 1])
                own[k].total = <int> sheets[k, 2]
            for i in range(columns, n * columns):
                own[i] = own[i - columns]
            sv_play_team(&self.team, seed, first, n, turn, own, &points[0], &counts, &seen, memory)
        free(memory)

    def turn(self, int turn, const int64_t[:, ::1] sheets, int rerolls, double[::1] holds, double[:, ::1] outcomes):
        """Solves one turn: holds[h] becomes the value of holding h with `rerolls` to come (for 0 only the rolls are
        set), outcomes[column, o] that of writing, all beyond the worth of the sheets as they are."""
        cdef Py_ssize_t k
        cdef sv_column own[26]
        cdef double *memory = allocated(sv_team_memory(&self.team))
        for k in range(self.team.columns):
            own[k].sheet = sv_sheet_of(self.team.games[k], sheets[k, 0], <int> sheets[k, 1])
            own[k].total = <int> sheets[k, 2]
        with nogil:
            sv_team_turn(&self.team, turn, own, rerolls, &holds[0], &outcomes[0, 0], memory)
        free(memory)


cdef size_t address_of(array) except? 0:
    return 0 if array is None else array.ctypes.data


cdef double *allocated(size_t doubles) except NULL:
    cdef double *memory = <double *> malloc(doubles * sizeof(double))
    if memory == NULL:
        raise MemoryError
    return memory
