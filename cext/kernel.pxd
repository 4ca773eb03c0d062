# Declarations of the C kernels, for both extensions. No cimportable Python types live here.
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from "lattice.h" nogil:
    enum:
        SV_FACES
        SV_MAX_DICE
        SV_PLANE
    ctypedef struct sv_lattice:
        int dice
        int holds
        int first[8]
        uint16_t above[924][6]
        uint8_t count[924][6]
        double chance[924]
    void sv_lattice_init(sv_lattice *t, int dice)

cdef extern from "turn.h" nogil:
    enum:
        SV_LANES
        SV_MAX_BOXES
    ctypedef struct sv_term:
        uint16_t roll
        uint16_t outcome
    ctypedef struct sv_terms:
        const sv_term *terms
        int n
    ctypedef struct sv_choices:
        pass
    double *sv_aligned(double *memory)
    void sv_write_rolls_1(const sv_lattice *t, const sv_choices *c, const double *outcomes, double *x)
    void sv_reroll(const sv_lattice *t, int n, int locked, int lanes, double *x, double *scratch)
    void sv_reroll_1(const sv_lattice *t, int n, int locked, double *x, double *scratch)

cdef extern from "sheet.h" nogil:
    enum:
        SV_SCRATCH
        SV_WIN
        SV_FIRST_OUTCOME
    ctypedef struct sv_box:
        int outcome
        int outcomes
        int fixed
        int requires
        int upper_bit
        int base
        int64_t stride
        const uint8_t *ordinary
        const uint8_t *served
        uint8_t joker[6]
        sv_terms scored
        sv_terms first_roll
        int first_roll_plain
        sv_terms every
        sv_terms every_served
    ctypedef struct sv_game:
        sv_lattice lattice
        int boxes
        int rolls
        int locked
        int order
        uint32_t begun
        uint32_t begun_holding
        sv_box box[26]
        int outcomes
        const double *points
        double multiplier
        int alike[6]
        int face_box[6]
        uint32_t face_boxes
        int five
        int joker
        double five_bonus
        int win_box
        double win_points
        sv_terms win
        double upper_bonus
        int threshold
        int uppers
        int64_t slots
        const int32_t *slot
        const int32_t *lane_low
        const int32_t *live
    ctypedef struct sv_sheet:
        int64_t lower
        int upper
        uint32_t written
        uint32_t holding
    ctypedef struct sv_write:
        int box
        int outcome
    ctypedef struct sv_source:
        int outcome
        double points
        const double *values
    sv_sheet sv_sheet_of(const sv_game *g, int64_t lower, int upper)
    int64_t sv_next_lower(const sv_box *box, int64_t lower, int makes_points)
    uint32_t sv_playable(const sv_game *g, uint32_t written)
    int sv_writes(const sv_game *g, const sv_sheet *s, int roll, int served, sv_write *writes, double *bonus)
    int sv_can_win(const sv_game *g, const sv_sheet *s)
    void sv_choose(const sv_game *g, const sv_sheet *s, int strict, sv_choices *c)
    size_t sv_row_memory(const sv_game *g)
    void sv_solve_row(const sv_game *g, double *values, int64_t lower, int upper, double *memory)
    void sv_outcomes(const sv_game *g, const double *values, const sv_sheet *s, int total, double *outcomes)
    double sv_value(const sv_game *g, const double *values, int64_t lower, int upper, int total)

cdef extern from "forward.h" nogil:
    double SV_TIE
    size_t sv_forward_memory(const sv_game *g)
    void sv_forward(const sv_game *g, const double *values, int64_t lower, int upper, const int *lanes, int n, int hold,
                    int left, double *weights, double *memory)
    void sv_forward_outcomes(const sv_game *g, const sv_choices *c, const double *outcomes, size_t rows, int n, int hold,
                             int left, double *weights, double *memory)
    int sv_best_hold(const sv_lattice *t, int roll, int held, const double *x, double *value)
    ctypedef struct sv_option:
        int box
        int outcome
        int hold
        double points
        double bonus
        double value
    sv_option sv_best_option(const sv_game *g, const sv_sheet *s, int roll, int served, int hold, double value,
                             const double *outcomes)

cdef extern from "mass.h" nogil:
    ctypedef struct sv_masses:
        pass
    int sv_masses_open(sv_masses *mass, size_t rows)
    void sv_masses_close(sv_masses *mass)

cdef extern from "spread.h" nogil:
    int sv_spread_begin(const sv_game *g, sv_masses *mass, int64_t lower, int upper, int lane, int points,
                        double chance)
    int sv_spread(const sv_game *g, const double *values, int64_t lower, int upper, sv_masses *mass, double *ended,
                  double *tally, double *memory)
    void sv_spread_end(const sv_game *g, const sv_masses *mass, int64_t lower, int upper, double *ended)
    size_t sv_spread_memory(const sv_game *g)

cdef extern from "spans.h" nogil:
    ctypedef struct sv_spans:
        const void *values
        int is_float
        const int64_t *start
        const int32_t *low
        const int32_t *width
    ctypedef struct sv_aim:
        double win
        int strict
        int top
    ctypedef struct sv_span_source:
        int outcome
        int shift
        int width
        int64_t row
        int64_t start
    size_t sv_span_outcomes(const sv_game *g)
    void sv_span_choose(const sv_game *g, const sv_sheet *s, const sv_aim *aim, sv_choices *c)
    int sv_span_sources(const sv_game *g, const sv_aim *aim, const sv_sheet *s, int lane, sv_span_source *list_)
    void sv_place_sources(const sv_spans *spans, const int32_t *index, int64_t begin, int64_t step,
                          sv_span_source *list_, int n)
    int sv_source_bounds(const sv_span_source *list_, int n, int *low)
    void sv_load_spans(const sv_spans *spans, const sv_aim *aim, const sv_span_source *list_, int n, const int *needs,
                       double *outcomes)
    int sv_span_bounds(const sv_game *g, const sv_spans *spans, const sv_aim *aim, int64_t lower, int upper, int lane,
                       int *low, double *memory)
    void sv_solve_span(const sv_game *g, const sv_spans *spans, const sv_aim *aim, int64_t lower, int upper, int lane,
                       int low, int width, double *row, double *memory)
    int sv_trim_span(double *row, int width, double margin, int *begin)
    size_t sv_span_memory(const sv_game *g)

cdef extern from "pairs.h" nogil:
    ctypedef struct sv_pairs:
        sv_spans values
        const void *ties
        const int32_t *index
        int64_t per_other
        int64_t per_own
    void sv_solve_pair(const sv_game *g, const sv_pairs *pairs, const sv_aim *aim, const sv_choices *choices,
                       const sv_span_source *list_, int n, int low, int width, double *values, double *ties,
                       double *memory)
    void sv_pair_turn(const sv_game *g, const sv_pairs *pairs, const sv_aim *aim, const sv_choices *choices,
                      const sv_span_source *list_, int n, int need, int rerolls, double *x, double *outcomes)
    enum:
        SV_PAIR_MEMORY

cdef extern from "simulate.h" nogil:
    enum:
        SV_GAME_BITS
    ctypedef struct sv_dice:
        uint64_t seed
        uint64_t game
        uint32_t turn
    size_t sv_play_memory(const sv_game *g)
    void sv_play_turn(const sv_game *g, const double *values, uint64_t ended, const sv_dice *first, uint64_t *games,
                      size_t n, int32_t *score, double *memory)
    void sv_sort_games(uint64_t *games, size_t n, uint64_t ended, uint64_t *room)

cdef extern from "pursue.h" nogil:
    ctypedef struct sv_chase:
        const sv_spans *spans
        const sv_aim *aim
        int total
        double **pursuit
    double *sv_pursuit(const sv_game *g, const sv_chase *chase, int64_t lower, int upper, int lane)
    int sv_pursue(const sv_game *g, const sv_chase *chase, int64_t lower, int upper, int lane, sv_masses *mass,
                  double *ended, double *tally, double *memory)
    size_t sv_pursue_memory(const sv_game *g)
