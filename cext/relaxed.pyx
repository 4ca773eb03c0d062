# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The kernel for sheets of several columns: see relax.h."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

from kernel cimport *

cdef extern from "relax.h" nogil:
    ctypedef struct sv_prices:
        const double *write
        const double *passing "pass"
    enum:
        SV_MAX_PARTS
        SV_MAX_LOOSE
    double SV_NEVER
    ctypedef struct sv_part:
        const sv_game *game
        int boxes
        uint8_t column[26]
        uint8_t category[26]
        const double *values
        int64_t size
    size_t sv_relax_memory(const sv_game *g)
    void sv_relax_row(const sv_game *g, const sv_prices *p, const double *next_, double *values, int64_t lower,
                      int upper, int may_pass, double *memory)
    void sv_relax_loose(const sv_game *g, const sv_part *part, const double *multiplier, const sv_prices *p,
                        const double *next_, double *values, int64_t first, double *memory)
    ctypedef struct sv_state:
        sv_sheet sheet
        int total
    ctypedef struct sv_team:
        const sv_game *game
        int columns
        int turns
        int parts
        double multiplier[8]
        sv_part part[8]
        const double *extra
        const double *write
        const double *passing "pass"
    ctypedef struct sv_tally:
        double *shadow
        int64_t *finals
        int64_t *writes
    ctypedef struct sv_record:
        uint32_t *written
        double *worth
        double *ahead
        double *gained
    size_t sv_team_memory(const sv_team *team)
    void sv_play_team(const sv_team *team, uint64_t seed, uint64_t first, size_t n, int turn, int end, sv_state *states,
                      double *points, const sv_tally *tally, const sv_record *record, double *memory)
    double sv_team_turn(const sv_team *team, int turn, const sv_state *states, int rerolls, double *holds,
                      double *outcomes, double *memory)


NEVER = SV_NEVER  # the worth of states that cannot be filled in the turns left
MAX_PARTS = SV_MAX_PARTS
MAX_LOOSE = SV_MAX_LOOSE


cdef class Team:
    """Parts that play together, or one relaxed part by itself.

    `kernel`: that of the categories; `multipliers`: one per column. `parts`: of each (kernel or None, columns,
    categories, values): the kernel of a sheet, None for loose boxes; per box its column and category; and values,
    float64 (turns + 1, lowers, slots). `prices`: (write, pass) of one relaxed part, float64 (turns, rolls); None for
    a team. `extra`: (turns + 1, categories, 2**columns) or None.
    """

    cdef sv_team team
    cdef list alive  # what the C struct points into

    def __cinit__(self, kernel, const double[::1] multipliers, list parts, prices=None, extra=None):
        cdef double[:, :, ::1] values
        cdef const double[:, :, ::1] added
        cdef const double[:, ::1] write, passing
        cdef sv_part *part
        self.alive = [kernel, parts, prices, extra]
        self.team.game = <const sv_game *> <size_t> kernel.address
        self.team.columns, self.team.parts = multipliers.shape[0], len(parts)
        if self.team.columns > SV_MAX_PARTS or self.team.parts > SV_MAX_PARTS:
            raise ValueError(f"expected at most {SV_MAX_PARTS} columns and parts")
        for k in range(self.team.columns):
            self.team.multiplier[k] = multipliers[k]
        for i, (sheet, columns, categories, table) in enumerate(parts):
            part = &self.team.part[i]
            values = table
            part.game = NULL if sheet is None else <const sv_game *> <size_t> sheet.address
            part.boxes, part.values, part.size = len(columns), &values[0, 0, 0], values.shape[1] * values.shape[2]
            for b in range(len(columns)):
                part.column[b], part.category[b] = columns[b], categories[b]
            self.team.turns = values.shape[0] - 1
        self.team.extra = self.team.write = self.team.passing = NULL
        if extra is not None:
            added = extra
            self.team.extra = &added[0, 0, 0]
        if prices is not None:
            write, passing = prices[0], prices[1]
            self.team.write, self.team.passing = &write[0, 0], &passing[0, 0]

    def solve_rows(self, int turn, const int64_t[:, ::1] rows, bint may_pass):
        """Solves rows (lower, upper) of a relaxed sheet before a turn, once all of the next turn are solved."""
        cdef const sv_part *part = &self.team.part[0]
        cdef sv_prices prices = self.prices(turn)
        cdef double *values = <double *> part.values + turn * part.size
        cdef double *memory = allocated(sv_relax_memory(part.game))
        cdef Py_ssize_t i
        with nogil:
            for i in range(rows.shape[0]):
                sv_relax_row(part.game, &prices, values + part.size, values, rows[i, 0], <int> rows[i, 1], may_pass,
                             memory)
        free(memory)

    def solve_states(self, int turn, const int64_t[::1] blocks):
        """Solves the blocks of SV_LANES states with these numbers of relaxed loose boxes before a turn."""
        cdef const sv_part *part = &self.team.part[0]
        cdef sv_prices prices = self.prices(turn)
        cdef double *values = <double *> part.values + turn * part.size
        cdef double *memory = allocated(sv_relax_memory(self.team.game))
        cdef Py_ssize_t i
        with nogil:
            for i in range(blocks.shape[0]):
                sv_relax_loose(self.team.game, part, self.team.multiplier, &prices, values + part.size, values,
                               SV_LANES * blocks[i], memory)
        free(memory)

    cdef sv_prices prices(self, int turn):
        cdef const sv_lattice *t = &self.team.game.lattice
        cdef int rolls = t.holds - t.first[t.dice]
        cdef sv_prices p
        p.write, p.passing = self.team.write + turn * rolls, self.team.passing + turn * rolls
        return p

    def play(self, uint64_t seed, uint64_t first, int turn, int end, int64_t[:, :, ::1] states, double[::1] points,
             shadow=None, tally=None, record=None):
        """Plays len(points) games, the first of them number `first`, from turn `turn` on and before turn `end`.

        `states`: per game and part (lower, upper, total), of loose boxes (number, 0, 0), as they are before and then
        after; `points` is added to. See sv_tally and sv_record for `shadow`, `tally` (finals, writes) and
        `record` (written, worth, ahead, gained), each array C-contiguous."""
        cdef Py_ssize_t n = points.shape[0], i, k, parts = self.team.parts
        cdef sv_tally counts
        cdef sv_record seen
        cdef size_t room = sv_team_memory(&self.team)
        cdef double *memory = allocated(room + n * parts * sizeof(sv_state) / sizeof(double) + 8)
        cdef sv_state *own = <sv_state *> (memory + room)
        counts.shadow = <double *> address_of(shadow)
        counts.finals, counts.writes = NULL, NULL
        seen.written, seen.worth, seen.ahead, seen.gained = NULL, NULL, NULL, NULL
        if tally is not None:
            counts.finals, counts.writes = <int64_t *> address_of(tally[0]), <int64_t *> address_of(tally[1])
        if record is not None:
            seen.written, seen.worth = <uint32_t *> address_of(record[0]), <double *> address_of(record[1])
            seen.ahead, seen.gained = <double *> address_of(record[2]), <double *> address_of(record[3])
        with nogil:
            for i in range(n):
                for k in range(parts):
                    own[i * parts + k] = state_of(&self.team.part[k], states[i, k, 0], states[i, k, 1], states[i, k, 2])
            sv_play_team(&self.team, seed, first, n, turn, end, own, &points[0], &counts, &seen, memory)
            for i in range(n):
                for k in range(parts):
                    states[i, k, 0], states[i, k, 1] = own[i * parts + k].sheet.lower, own[i * parts + k].sheet.upper
                    states[i, k, 2] = own[i * parts + k].total
                    if self.team.part[k].game == NULL:
                        states[i, k, 0] = own[i * parts + k].sheet.written
        free(memory)

    def turn(self, int turn, const int64_t[:, ::1] states, int rerolls, double[::1] holds, double[:, ::1] outcomes):
        """Solves one turn: holds[h] becomes the value of holding h with `rerolls` to come (for 0 only the rolls are
        set), outcomes[column, o] that of writing, all beyond what staying as it is would be worth. Returns that."""
        cdef Py_ssize_t k
        cdef double staying
        cdef sv_state own[8]
        cdef double *memory = allocated(sv_team_memory(&self.team))
        for k in range(self.team.parts):
            own[k] = state_of(&self.team.part[k], states[k, 0], states[k, 1], states[k, 2])
        with nogil:
            staying = sv_team_turn(&self.team, turn, own, rerolls, &holds[0], &outcomes[0, 0], memory)
        free(memory)
        return staying


cdef sv_state state_of(const sv_part *part, int64_t lower, int64_t upper, int64_t total) noexcept nogil:
    cdef sv_state s
    if part.game:
        s.sheet = sv_sheet_of(part.game, lower, <int> upper)
    else:
        s.sheet.lower, s.sheet.upper, s.sheet.written, s.sheet.holding = 0, 0, <uint32_t> lower, 0
    s.total = <int> total
    return s


cdef size_t address_of(array) except? 0:
    return 0 if array is None else array.ctypes.data


cdef double *allocated(size_t doubles) except NULL:
    cdef double *memory = <double *> malloc(doubles * sizeof(double))
    if memory == NULL:
        raise MemoryError
    return memory
