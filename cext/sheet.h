/* A variant as arrays, and the solver's view of its scoresheets.
 *
 * A sheet is (lower, upper, total):
 *
 *   lower  a mixed-radix number, one digit per box that is not under the upper bonus: 0 open, 1 written; where a rule
 *          asks whether the box holds points: 0 open, 1 scratched, 2 holding points. A box under the upper bonus has
 *          a digit only where such a rule asks for it: 1 holding points.
 *   upper  one bit per box under the upper bonus: written or not.
 *   total  the points in those boxes. It matters while the bonus is undecided: those totals are the live lanes of
 *          `upper`, lane_low .. lane_low + live - 1. Reached (and then paid) or out of reach, the future is the same:
 *          the settled lane, the last one of every upper.
 *
 * values[lower * slots + slot[upper] + lane] is the expected score still to come, a bonus paid earlier not included.
 */
#ifndef SERVIDA_SHEET_H
#define SERVIDA_SHEET_H

#include "turn.h"

#include <stddef.h>

enum { SV_MAX_UPPER = 8 };
enum { SV_JOKER_NONE, SV_JOKER_FORCED, SV_JOKER_FREE_CHOICE };
enum { SV_SCRATCH = 0, SV_WIN = 1, SV_FIRST_OUTCOME = 2 }; /* outcome numbers */

typedef struct {
    /* its outcomes: outcome + 0 is the scratch, the others pay points[outcome + k] */
    int outcome, outcomes;
    int fixed;                     /* pays a fixed score */
    int requires;                  /* the box that must hold points, or -1 */
    int upper_bit;                 /* its bit in `upper`, 0 when it is not under the bonus */
    int base;                      /* of its digit in `lower`; 1 when it has none */
    int64_t stride;                /* of its digit in `lower` */
    const uint8_t *ordinary;       /* per roll: which of its outcomes (0 the scratch) */
    const uint8_t *served;         /* the same on the first roll */
    uint8_t joker[SV_FACES];       /* the outcome of a joker of each face */
    sv_terms scored;               /* the rolls that make points */
    sv_terms first_roll;           /* the rolls that make other points when served; all dice alike come last */
    int first_roll_plain;          /* how many of those come before */
    sv_terms every, every_served;  /* all rolls with their outcomes, scratches too */
} sv_box;

typedef struct {
    sv_lattice lattice;
    int boxes, rolls, locked, order; /* order: 0 free, 1 down, -1 up */
    uint32_t begun, begun_holding;   /* boxes written before the first of these sheets: they have no digit and no bit */
    sv_box box[SV_MAX_BOXES];
    int outcomes;                    /* of all columns */
    const double *points;            /* per outcome of this one */
    double multiplier;               /* of the column: what its points count */
    int alike[SV_FACES];             /* the roll of all dice alike, per face */
    int face_box[SV_FACES];          /* the face box of each face, or -1 */
    uint32_t face_boxes;
    int five, joker;                 /* box for all dice alike, or -1; joker rule */
    double five_bonus;
    int win_box;                     /* box that must not be scratched, or -1: no outright win */
    double win_points;
    sv_terms win;
    double upper_bonus;
    int threshold, uppers;
    int64_t slots;
    const int32_t *slot, *lane_low, *live; /* per upper */
} sv_game;

typedef struct {
    int64_t lower;
    int upper;
    uint32_t written, holding;       /* boxes written; watched boxes that hold points */
} sv_sheet;

/* One way to write a roll. */
typedef struct {
    int box, outcome;
} sv_write;

static inline int sv_clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

sv_sheet sv_sheet_of(const sv_game *g, int64_t lower, int upper);
/* The boxes that may be written next. */
uint32_t sv_playable(const sv_game *g, uint32_t written);
/* All legal ways to write `roll` (at most SV_MAX_BOXES), and the bonus that comes with any of them. */
int sv_writes(const sv_game *g, const sv_sheet *s, int roll, int served, sv_write *writes, double *bonus);
int sv_can_win(const sv_game *g, const sv_sheet *s);
/* Whether a box may pay at all: the box it requires, if any, holds points. */
int sv_pays(const sv_game *g, const sv_sheet *s, int box);
/* Adds the boxes of a sheet to what a turn may be written as; `special`: all dice alike have lists of their own. */
void sv_add_boxes(const sv_game *g, const sv_sheet *s, int strict, int special, sv_choices *c);
/* What a turn may be written as; see turn.h. */
void sv_choose(const sv_game *g, const sv_sheet *s, int strict, sv_choices *c);
/* The most points there can be on a sheet: outside the upper total, and in all. */
void sv_most_points(const sv_game *g, int64_t lower, int upper, int *rest, int *all);

/* The `lower` of the sheet after `box` is written, which moves on by one more where it matters that points were made. */
int64_t sv_next_lower(const sv_box *box, int64_t lower, int makes_points);

/* The lane of the row one box further that a sheet's lane leads to with `points` in `box`; *paid: the upper bonus, if
 * these points earn it. */
int sv_next_lane(const sv_game *g, int upper, int lane, const sv_box *box, int points, int *paid);

/* An outcome in use, and the row its values come from. */
typedef struct {
    int outcome;
    double points;
    const double *values;
} sv_source;

/* The most lanes a row has. */
size_t sv_row_lanes(const sv_game *g);
/* The outcomes a turn from s may end with; `room` for outcomes x sv_row_lanes doubles. Returns how many. */
int sv_list_sources(const sv_game *g, const double *values, const sv_sheet *s, sv_source *list, double *room);

/* The values of those outcomes for n <= SV_LANES lanes of the row, in any order, of the best scratch and of a win;
 * further columns are copies. */
void sv_gather_outcomes(const sv_game *g, const sv_source *list, int sources, const int *lanes, int n,
                        double *outcomes);

/* Solves a turn for the lanes of a row, which has so many: row[lane]. `memory`: aligned, a row for every hold, twice, and
 * one for every outcome. */
void sv_solve_lanes(const sv_game *g, const sv_choices *choices, const sv_source *list, int n, int lanes, double *row,
                    double *memory);
/* Doubles of working memory sv_solve_row needs. */
size_t sv_row_memory(const sv_game *g);
/* Solves all lanes of one (lower, upper) from the sheets with one box more written, already in `values`. */
void sv_solve_row(const sv_game *g, double *values, int64_t lower, int upper, double *memory);

/* outcomes[o * SV_LANES] = points of o + value of the sheet it leads to, for one sheet with `total` under the bonus. */
void sv_outcomes(const sv_game *g, const double *values, const sv_sheet *s, int total, double *outcomes);
/* The value of one sheet, bonus to come included. */
double sv_value(const sv_game *g, const double *values, int64_t lower, int upper, int total);

#endif
