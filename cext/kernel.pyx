# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The solver's kernel: a variant as C arrays, its scoresheets solved row by row, and positions answered."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from kernel cimport *

TIE = SV_TIE  # options this close are equally good
OUTCOME_WIN = SV_WIN
FIRST_OUTCOME = SV_FIRST_OUTCOME
GAME_BITS = SV_GAME_BITS


cdef class Lattice:
    """The multisets of at most `dice` dice, numbered by size and then in order of their sorted faces."""

    cdef sv_lattice t
    cdef readonly object count, first, above, chance

    def __cinit__(self, int dice):
        if not 1 <= dice <= SV_MAX_DICE:
            raise ValueError(f"dice: expected 1 to {SV_MAX_DICE}, found {dice}")
        sv_lattice_init(&self.t, dice)
        cdef int n = self.t.holds
        self.count = np.array(<uint8_t[:n, :6]> &self.t.count[0][0])
        self.above = np.array(<uint16_t[:n, :6]> &self.t.above[0][0])
        self.first = tuple(self.t.first[k] for k in range(dice + 2))
        self.chance = np.array(<double[:n - self.t.first[dice]]> &self.t.chance[0])


cdef class Kernel:
    """One variant, ready to be solved. Built by `servida.solver.game`, which checks everything handed in here.

    `boxes` is a list of dicts with the fields of `sv_box` (cext/sheet.h); `terms` come as uint16 arrays (n, 2) of
    roll and outcome; `points` has one float64 an outcome; `slot`, `lane_low`, `live` one int32 an upper mask.
    """

    cdef sv_game g
    cdef list alive  # the arrays the C struct points into

    def __cinit__(self, Lattice lattice, *, int rolls, bint locked, int order, list boxes, const double[::1] points,
                  alike, face_box, int five, int joker, double five_bonus, int win_box, double win_points,
                  win_terms, double upper_bonus, int threshold,
                  const int32_t[::1] slot, const int32_t[::1] lane_low, const int32_t[::1] live, double multiplier,
                  uint32_t begun, uint32_t begun_holding):
        self.alive = []
        self.g.lattice = lattice.t
        self.g.rolls, self.g.locked, self.g.order = rolls, locked, order
        self.g.boxes = len(boxes)
        self.g.outcomes = points.shape[0]
        self.g.points, self.g.multiplier = &points[0], multiplier
        self.g.begun, self.g.begun_holding = begun, begun_holding
        self.g.face_boxes = 0
        for f in range(6):
            self.g.alike[f], self.g.face_box[f] = alike[f], face_box[f]
            if face_box[f] >= 0:
                self.g.face_boxes |= <uint32_t> 1 << <int> face_box[f]
        self.g.five, self.g.joker, self.g.five_bonus = five, joker, five_bonus
        self.g.win_box, self.g.win_points = win_box, win_points
        self.g.win = self.terms(win_terms)
        self.g.upper_bonus, self.g.threshold, self.g.uppers = upper_bonus, threshold, slot.shape[0]
        self.g.slot, self.g.lane_low, self.g.live = &slot[0], &lane_low[0], &live[0]
        self.g.slots = slot[slot.shape[0] - 1] + live[slot.shape[0] - 1] + 1
        self.alive += [points, slot, lane_low, live]
        for b, box in enumerate(boxes):
            self.add_box(&self.g.box[b], box)

    cdef void add_box(self, sv_box *out, dict box) except *:
        cdef const uint8_t[::1] ordinary = box["ordinary"], served = box["served"]
        out.outcome, out.outcomes, out.fixed, out.requires = box["outcome"], box["outcomes"], box["fixed"], box["requires"]
        out.upper_bit, out.base, out.stride = box["upper_bit"], box["base"], box["stride"]
        out.ordinary, out.served = &ordinary[0], &served[0]
        self.alive += [ordinary, served]
        for f in range(6):
            out.joker[f] = box["joker"][f]
        out.scored = self.terms(box["scored"])
        out.first_roll = self.terms(box["first_roll"])
        out.first_roll_plain = box["first_roll_plain"]
        out.every, out.every_served = self.terms(box["every"]), self.terms(box["every_served"])

    @property
    def address(self):
        """Where the C struct lies, for the package's other extensions; good as long as this object lives."""
        return <size_t> &self.g

    cdef sv_terms terms(self, numbers):
        cdef sv_terms out
        cdef const uint16_t[:, ::1] array = np.ascontiguousarray(numbers * SV_LANES, dtype=np.uint16)
        self.alive.append(array)
        out.n = array.shape[0]
        out.terms = <const sv_term *> &array[0, 0] if out.n else NULL
        return out

    def solve_rows(self, double[:, ::1] values, const int64_t[:, ::1] rows):
        """Solves the rows (lower, upper), all of one layer; the layers with more boxes written must be in `values`."""
        cdef Py_ssize_t i
        cdef double *memory = <double *> malloc(sv_row_memory(&self.g) * sizeof(double))
        if memory == NULL:
            raise MemoryError
        with nogil:
            for i in range(rows.shape[0]):
                sv_solve_row(&self.g, &values[0, 0], rows[i, 0], <int> rows[i, 1], memory)
        free(memory)

    def value(self, const double[:, ::1] values, int64_t lower, int upper, int total):
        """The expected score still to come from a sheet."""
        return sv_value(&self.g, &values[0, 0], lower, upper, total)

    def writes(self, int64_t lower, int upper, int roll, bint served):
        """Every way to write `roll`: a list of (box, outcome), and the bonus that comes with any of them."""
        cdef sv_sheet s = sv_sheet_of(&self.g, lower, upper)
        cdef sv_write list_[26]
        cdef double bonus = 0
        cdef int n = sv_writes(&self.g, &s, roll, served, list_, &bonus)
        return [(list_[i].box, list_[i].outcome) for i in range(n)], bonus

    def can_win(self, int64_t lower, int upper):
        """Whether all dice alike on the first roll may end the game from this sheet."""
        cdef sv_sheet s = sv_sheet_of(&self.g, lower, upper)
        return bool(sv_can_win(&self.g, &s))

    def next_lowers(self, int64_t lower, int upper):
        """The `lower` of every sheet one box further, whose rows a turn from this sheet reads."""
        cdef sv_sheet s = sv_sheet_of(&self.g, lower, upper)
        cdef uint32_t playable = sv_playable(&self.g, s.written)
        found = set()
        for b in range(self.g.boxes):
            if playable >> <uint32_t> b & 1:
                found.add(sv_next_lower(&self.g.box[<int> b], lower, 0))
                found.add(sv_next_lower(&self.g.box[<int> b], lower, 1))
        return sorted(found)

    def holds_within(self, int roll, int held):
        """The numbers of all holds between `held` and the dice `roll` (a hold number), those dice left out."""
        cdef int found[64]
        cdef int n = holds_within(&self.g.lattice, roll, held, found) if held != roll else 0
        return [found[i] for i in range(n)]

    def best_hold(self, int roll, int held, const double[::1] holds):
        """The best hold between `held` and the dice `roll` (hold numbers) when holds[h] is the value of holding h."""
        cdef double value
        spread = np.zeros(len(holds) * SV_LANES)
        spread[::SV_LANES] = holds
        cdef const double[::1] x = spread
        return sv_best_hold(&self.g.lattice, roll, held, &x[0], &value)

    def turn(self, const double[:, ::1] values, int64_t lower, int upper, int total, int rerolls, double[::1] holds,
             double[::1] outcomes):
        """Solves one turn of one sheet: holds[h] becomes the value of holding h with `rerolls` to come (for 0 only the
        rolls are set: what each is best written as), outcomes[o] that of writing each outcome."""
        cdef sv_sheet s = sv_sheet_of(&self.g, lower, upper)
        cdef int r
        cdef int n = self.g.lattice.holds
        cdef double *memory = <double *> malloc(SV_LANES * (2 * n + self.g.outcomes + 1) * sizeof(double))
        if memory == NULL:
            raise MemoryError
        cdef double *x = sv_aligned(memory)
        with nogil:
            write_rolls(&self.g, &values[0, 0], &s, total, x + 2 * SV_LANES * n, x)
            for r in range(1, rerolls + 1):
                sv_reroll_1(&self.g.lattice, r, self.g.locked, x, x + SV_LANES * n)
            for r in range(n):
                holds[r] = x[SV_LANES * r]
            for r in range(self.g.outcomes):
                outcomes[r] = x[SV_LANES * (2 * n + r)]
        free(memory)

    def hints(self, const double[:, ::1] values, const int64_t[::1] lower, const int32_t[::1] upper,
              const int32_t[::1] total, const int32_t[::1] roll, const int32_t[::1] held, const uint8_t[::1] rolls_left,
              const int64_t[::1] order, int32_t[::1] box, int32_t[::1] hold, double[::1] points, double[::1] value):
        """The best option of many positions; `order` lists them by rolls left.

        Out: `box` to write, or -1 to hold `hold`, or -2 to win at once; `points` written; `value` of the option.
        """
        cdef Py_ssize_t start = 0, n = order.shape[0], lanes, i
        cdef int rerolls, r, lane, kept
        cdef double worth
        cdef const sv_lattice *t = &self.g.lattice
        cdef int first = t.first[t.dice]
        cdef double *memory = <double *> malloc((SV_LANES * (2 * t.holds + self.g.outcomes + 1)) * sizeof(double))
        if memory == NULL:
            raise MemoryError
        cdef double *x = sv_aligned(memory)
        cdef double *scratch = x + SV_LANES * t.holds
        cdef double *outcomes = scratch + SV_LANES * t.holds
        cdef sv_sheet sheets[8]
        cdef sv_option best
        with nogil:
            while start < n:
                rerolls = rolls_left[order[start]]
                lanes = 1
                while lanes < SV_LANES and start + lanes < n and rolls_left[order[start + lanes]] == rerolls:
                    lanes += 1
                for lane in range(lanes):
                    i = order[start + lane]
                    sheets[lane] = sv_sheet_of(&self.g, lower[i], upper[i])
                    write_rolls(&self.g, &values[0, 0], &sheets[lane], total[i], outcomes + lane, x + lane)
                for r in range(1, rerolls + 1):
                    sv_reroll(t, r, self.g.locked, <int> lanes, x, scratch)
                for lane in range(lanes):
                    i = order[start + lane]
                    kept, worth = -1, 0
                    if rerolls > 0 and held[i] != first + roll[i]:
                        kept = sv_best_hold(t, first + roll[i], held[i], x + lane, &worth)
                    best = sv_best_option(&self.g, &sheets[lane], roll[i], rerolls == self.g.rolls - 1, kept, worth,
                                          outcomes + lane)
                    box[i], hold[i], value[i] = best.box, best.hold, best.value
                    points[i] = best.points + best.bonus
                start += lanes
        free(memory)


    def outcome_chances(self, const double[:, ::1] values, int64_t lower, int upper, int lane, int hold, int left):
        """How likely optimal play is to end the turn with each outcome, once `hold` is kept, the others thrown and
        `left` more rerolls are to come: two arrays, without and with the bonus for a further five."""
        cdef const sv_game *g = &self.g
        cdef size_t weights = 2 * g.outcomes * SV_LANES
        cdef double *memory = <double *> malloc((weights + sv_forward_memory(g) + SV_LANES) * sizeof(double))
        cdef Py_ssize_t i
        if memory == NULL:
            raise MemoryError
        cdef double *x = sv_aligned(memory)
        with nogil:
            sv_forward(g, &values[0, 0], lower, upper, &lane, 1, hold, left, x, x + weights)
        found = np.array([x[i * SV_LANES] for i in range(2 * g.outcomes)])
        free(memory)
        return found[:g.outcomes], found[g.outcomes:]

    def distribution(self, const double[:, ::1] values, int64_t lower, int upper, int total, int so_far, list layers,
                     double[::1] chance, double[:, ::1] tally):
        """The chance of every final total under optimal play from a sheet.

        `layers`: the rows (lower, upper) with as many boxes written as the sheet has, one more, ... all. Out:
        chance[t], and tally[layer, outcome]: how often each outcome is written as the layer's turn, those with the
        bonus for a further five after the others.
        """
        cdef const sv_game *g = &self.g
        cdef Py_ssize_t i, layer
        cdef int lane = total - g.lane_low[upper], settled = not 0 <= lane < g.live[upper]
        cdef sv_masses mass
        cdef double *memory = <double *> malloc(sv_spread_memory(g) * sizeof(double))
        cdef int failed = sv_masses_open(&mass, int(values.shape[0]) * g.uppers) < 0 or memory == NULL
        cdef const int64_t[:, ::1] rows
        if not failed:
            failed = sv_spread_begin(g, &mass, lower, upper, g.live[upper] if settled else lane,
                                     so_far if settled else so_far - total, 1)
        for layer in range(len(layers)):
            rows = layers[layer]
            with nogil:
                for i in range(rows.shape[0]):
                    if failed:
                        break
                    if sv_playable(g, sv_sheet_of(g, rows[i, 0], <int> rows[i, 1]).written) != 0:
                        failed = sv_spread(g, &values[0, 0], rows[i, 0], <int> rows[i, 1], &mass, &chance[0],
                                           &tally[layer, 0], memory)
                    else:
                        sv_spread_end(g, &mass, rows[i, 0], <int> rows[i, 1], &chance[0])
        sv_masses_close(&mass)
        free(memory)
        if failed:
            raise MemoryError

    def play_turn(self, const double[:, ::1] values, uint64_t seed, uint64_t first, uint32_t turn,
                  uint64_t[::1] games, int32_t[::1] score):
        """Plays turn number `turn` of sorted games by the values; see sv_play_turn (cext/simulate.h). `first`: the
        number of the batch's game 0, `score` the points of the whole batch."""
        cdef sv_dice dice = sv_dice(seed, first, turn)
        cdef uint64_t ended = values.shape[0] * values.shape[1]
        cdef double *memory = <double *> malloc(sv_play_memory(&self.g) * sizeof(double))
        if memory == NULL:
            raise MemoryError
        with nogil:
            sv_play_turn(&self.g, &values[0, 0], ended, &dice, &games[0], games.shape[0], &score[0], memory)
        free(memory)


def sort_games(uint64_t[::1] games, uint64_t ended, uint64_t[::1] room):
    """Sorts games by their sheets; see sv_sort_games (cext/simulate.h)."""
    with nogil:
        sv_sort_games(&games[0], games.shape[0], ended, &room[0])


cdef void write_rolls(const sv_game *g, const double *values, const sv_sheet *s, int total, double *outcomes,
                   double *x) noexcept nogil:
    cdef sv_choices choices
    sv_outcomes(g, values, s, total, outcomes)
    sv_choose(g, s, 0, &choices)
    sv_write_rolls_1(&g.lattice, &choices, outcomes, x)


cdef int holds_within(const sv_lattice *t, int roll, int held, int *out) noexcept nogil:
    """All holds between `held` and the roll (its hold number), the roll itself left out; at most 63."""
    cdef int n = 1, old, f, k, i, h
    out[0] = held
    for f in range(SV_FACES):
        old = n
        for i in range(old):
            h = out[i]
            for k in range(t.count[roll][f] - t.count[held][f]):
                h = t.above[h][f]
                if h != roll:
                    out[n] = h
                    n += 1
    return n
