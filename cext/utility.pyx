# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The kernel for objectives that look at the final total: see spans.h."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memmove

from kernel cimport *


cdef class Aim:
    """What a game is played for: `win` is what winning at once is worth; `strict`: more points may be worth less;
    `top`: the total that need 0 stands for, -1 when needs are counted from any total.

    `spans` is everywhere (values, start, low, width): values in one dimension, float32 or float64, and per row int64
    and int32 numbers.
    """

    cdef const sv_game *g
    cdef object kernel  # owns what g points to
    cdef sv_aim aim

    def __cinit__(self, kernel, *, double win, bint strict, int top):
        self.kernel = kernel
        self.g = <const sv_game *> <size_t> kernel.address
        self.aim.win, self.aim.strict, self.aim.top = win, strict, top

    @property
    def outcomes(self):
        """How many outcomes there are: those with the bonus for a further five follow the others."""
        return sv_span_outcomes(self.g)

    def successors(self, const int64_t[:, ::1] rows):
        """The numbers of all rows that one turn leads to from `rows` (lower, upper, lane), ascending."""
        cdef sv_span_source *list_ = <sv_span_source *> allocated(self.g)
        cdef sv_sheet s
        cdef Py_ssize_t i
        cdef int n, k
        cdef const sv_box *last = &self.g.box[self.g.boxes - 1]
        seen = np.zeros(last.stride * last.base * self.g.slots, np.uint8)
        cdef uint8_t[::1] mark = seen
        with nogil:
            for i in range(rows.shape[0]):
                s = sv_sheet_of(self.g, rows[i, 0], <int> rows[i, 1])
                n = sv_span_sources(self.g, &self.aim, &s, <int> rows[i, 2], list_)
                for k in range(n):
                    mark[list_[k].row] = 1
        free(list_)
        return np.flatnonzero(seen)

    def bounds(self, tuple spans, const int64_t[:, ::1] rows, int32_t[::1] low, int32_t[::1] width):
        """low[i], width[i] become the needs that rows[i] = (lower, upper, lane) must be solved for."""
        cdef sv_spans s = spans_of(spans)
        cdef Py_ssize_t i
        cdef int first
        cdef double *memory = allocated(self.g)
        with nogil:
            for i in range(rows.shape[0]):
                width[i] = sv_span_bounds(self.g, &s, &self.aim, rows[i, 0], <int> rows[i, 1], <int> rows[i, 2], &first,
                                          memory)
                low[i] = first
        free(memory)

    def solve(self, tuple spans, const int64_t[:, ::1] rows, int32_t[::1] low, int32_t[::1] width,
              const int64_t[::1] place, out, double margin):
        """Solves rows, all of one layer; `spans` holds those of the layer with one box more written.

        Values go to out[place[i]] and on, of the same type as those in `spans`. Decided ones at both ends are dropped
        (those within `margin`), and `low` and `width` say what is left.
        """
        cdef sv_spans s = spans_of(spans)
        cdef Py_ssize_t i, widest = 1
        cdef int begin, k
        cdef float *floats = <float *> <size_t> out.ctypes.data
        cdef double *doubles = <double *> <size_t> out.ctypes.data
        for i in range(rows.shape[0]):
            widest = max(widest, width[i])
        cdef double *row = <double *> malloc(widest * sizeof(double))
        cdef double *memory = allocated(self.g)
        if row == NULL:
            free(memory)
            raise MemoryError
        with nogil:
            for i in range(rows.shape[0]):
                sv_solve_span(self.g, &s, &self.aim, rows[i, 0], <int> rows[i, 1], <int> rows[i, 2], low[i], width[i], row,
                              memory)
                width[i] = sv_trim_span(row, width[i], margin, &begin)
                low[i] += begin
                for k in range(width[i]):
                    if s.is_float:
                        floats[place[i] + k] = <float> row[begin + k]
                    else:
                        doubles[place[i] + k] = row[begin + k]
        free(row)
        free(memory)

    def places(self, tuple spans, int64_t lower, int upper, int lane):
        """Where the values lie that a turn from this row reads: arrays of first places and lengths, ascending."""
        cdef sv_spans s = spans_of(spans)
        cdef sv_sheet sheet = sv_sheet_of(self.g, lower, upper)
        cdef double *memory = allocated(self.g)
        cdef sv_span_source *list_ = <sv_span_source *> memory
        cdef int n = sv_span_sources(self.g, &self.aim, &sheet, lane, list_), i
        sv_place_sources(&s, NULL, 0, 1, list_, n)
        found = dict([(list_[i].start, list_[i].width) for i in range(n)])
        free(memory)
        places = sorted(found.items())
        return np.array([at for at, _ in places], np.int64), np.array([length for _, length in places], np.int64)

    def turn(self, tuple spans, int64_t lower, int upper, int lane, int need, int rerolls, double[::1] holds,
             double[::1] outcomes):
        """Solves one turn of one sheet: holds[h] becomes the value of holding h with `rerolls` to come (for 0 only the
        rolls are set: what each is best written as), outcomes[o] that of writing each outcome."""
        cdef const sv_lattice *t = &self.g.lattice
        cdef sv_spans s = spans_of(spans)
        cdef sv_sheet sheet = sv_sheet_of(self.g, lower, upper)
        cdef int n, r, i
        cdef int[8] needs = [need] * 8
        cdef sv_choices choices
        cdef Py_ssize_t rows = 2 * t.holds + sv_span_outcomes(self.g) + 1
        cdef double *memory = <double *> malloc(rows * SV_LANES * sizeof(double))
        cdef double *list_ = allocated(self.g)
        if memory == NULL:
            free(list_)
            raise MemoryError
        cdef double *x = sv_aligned(memory)
        cdef double *ends = x + 2 * SV_LANES * t.holds
        with nogil:
            sv_span_choose(self.g, &sheet, &self.aim, &choices)
            n = sv_span_sources(self.g, &self.aim, &sheet, lane, <sv_span_source *> list_)
            sv_place_sources(&s, NULL, 0, 1, <sv_span_source *> list_, n)
            sv_load_spans(&s, &self.aim, <sv_span_source *> list_, n, needs, ends)
            sv_write_rolls_1(t, &choices, ends, x)
            for r in range(1, rerolls + 1):
                sv_reroll_1(t, r, self.g.locked, x, x + SV_LANES * t.holds)
            for i in range(t.holds):
                holds[i] = x[SV_LANES * i]
            for i in range(outcomes.shape[0]):
                outcomes[i] = ends[SV_LANES * i]
        free(memory)
        free(list_)

    def outcome_chances(self, tuple spans, int64_t lower, int upper, int lane, int need, int hold, int left):
        """How likely best play for the aim is to end the turn with each outcome, once `hold` is kept, the others thrown
        and `left` more rerolls are to come; those with the bonus for a further five after the others."""
        cdef sv_spans s = spans_of(spans)
        cdef sv_sheet sheet = sv_sheet_of(self.g, lower, upper)
        cdef int[8] needs = [need] * 8
        cdef sv_choices choices
        cdef size_t rows = sv_span_outcomes(self.g), sources = sv_span_memory(self.g)
        cdef double *memory = <double *> malloc((sources + (2 * rows + 1) * SV_LANES + sv_forward_memory(self.g)) * sizeof(double))
        if memory == NULL:
            raise MemoryError
        cdef double *outcomes = sv_aligned(memory + sources)
        cdef double *weights = outcomes + rows * SV_LANES
        cdef int n
        cdef size_t i
        with nogil:
            sv_span_choose(self.g, &sheet, &self.aim, &choices)
            n = sv_span_sources(self.g, &self.aim, &sheet, lane, <sv_span_source *> memory)
            sv_place_sources(&s, NULL, 0, 1, <sv_span_source *> memory, n)
            sv_load_spans(&s, &self.aim, <sv_span_source *> memory, n, needs, outcomes)
            sv_forward_outcomes(self.g, &choices, outcomes, rows, 1, hold, left, weights, weights + rows * SV_LANES)
        found = np.array([weights[i * SV_LANES] for i in range(rows)])
        free(memory)
        return found

    def distribution(self, tuple spans, const double[:, ::1] values, int total, int64_t lower, int upper, int lane,
                     int points, list layers, list rows, double[::1] chance, double[:, ::1] tally):
        """The chance of every final total when play aims at something, and goes on for points (by `values`, those of the
        score) where that is decided. `total`: what need 0 stands for; `points`: those on the sheet outside the upper
        total in a live lane, else all. `layers` holds the rows (lower, upper, lane) by boxes written, `rows` the rows
        (lower, upper). Out: chance and tally as in Kernel.distribution."""
        cdef const sv_game *g = self.g
        cdef sv_spans s = spans_of(spans)
        cdef sv_masses mass
        cdef sv_chase chase
        cdef Py_ssize_t i, layer, n = values.shape[0] * g.slots
        cdef const int64_t[:, ::1] goal_rows, score_rows
        cdef double *memory = <double *> malloc((sv_pursue_memory(g) + sv_spread_memory(g)) * sizeof(double))
        chase.spans, chase.aim, chase.total = &s, &self.aim, total
        chase.pursuit = <double **> calloc(n, sizeof(double *))
        cdef int failed = sv_masses_open(&mass, values.shape[0] * g.uppers) < 0 or memory == NULL or chase.pursuit == NULL
        cdef double *own = NULL
        if not failed:
            own = sv_pursuit(g, &chase, lower, upper, lane)
            failed = own == NULL
        if not failed:
            own[points] = 1
        for layer in range(len(layers)):
            goal_rows, score_rows = layers[layer], rows[layer]
            with nogil:
                for i in range(goal_rows.shape[0]):
                    if failed:
                        break
                    if chase.pursuit[goal_rows[i, 0] * g.slots + g.slot[goal_rows[i, 1]] + goal_rows[i, 2]] != NULL:
                        failed = sv_pursue(g, &chase, goal_rows[i, 0], <int> goal_rows[i, 1], <int> goal_rows[i, 2], &mass,
                                           &chance[0], &tally[layer, 0], memory)
                for i in range(score_rows.shape[0]):
                    if failed:
                        break
                    if sv_playable(g, sv_sheet_of(g, score_rows[i, 0], <int> score_rows[i, 1]).written) != 0:
                        failed = sv_spread(g, &values[0, 0], score_rows[i, 0], <int> score_rows[i, 1], &mass, &chance[0],
                                           &tally[layer, 0], memory)
                    else:
                        sv_spread_end(g, &mass, score_rows[i, 0], <int> score_rows[i, 1], &chance[0])
        for i in range(n if chase.pursuit != NULL else 0):
            free(chase.pursuit[i])
        sv_masses_close(&mass)
        free(chase.pursuit)
        free(memory)
        if failed:
            raise MemoryError


def compact(values, int64_t to, const int64_t[::1] place, const int32_t[::1] width, int64_t[::1] start):
    """Moves the rows of `values`, each `width` long from `place` on (ascending), together, from `to` on; start[i] is
    where each now begins. Returns where the last ends."""
    cdef size_t size = values.dtype.itemsize
    cdef char *data = <char *> <size_t> values.ctypes.data
    cdef Py_ssize_t i
    with nogil:
        for i in range(place.shape[0]):
            memmove(data + to * size, data + place[i] * size, width[i] * size)
            start[i] = to
            to += width[i]
    return to


cdef sv_spans spans_of(tuple spans) except *:
    values, start, low, width = spans
    cdef sv_spans s
    cdef const int64_t[::1] starts = start
    cdef const int32_t[::1] lows = low, widths = width
    s.values = <const void *> <size_t> values.ctypes.data
    s.is_float = values.dtype == np.float32
    s.start, s.low, s.width = &starts[0], &lows[0], &widths[0]
    return s


cdef double *allocated(const sv_game *g) except NULL:
    cdef double *memory = <double *> malloc(sv_span_memory(g) * sizeof(double))
    if memory == NULL:
        raise MemoryError
    return memory
