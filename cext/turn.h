/* One turn, solved backward for a block of lanes at once.
 *
 * A lane is one scoresheet; the lanes of a block have the same boxes open and differ in a running total only. The
 * kernel knows nothing of games: it is handed, for every *outcome* (some points in some box), one row of values
 * (what those points make of each lane), and lists that say which outcomes a roll may be written as.
 *
 * x is the working array, one row of lanes per hold of the lattice: x[hold * SV_LANES + lane]; outcomes likewise. The
 * functions ending in _1 work on one lane only; x + lane and outcomes + lane choose which.
 */
#ifndef SERVIDA_TURN_H
#define SERVIDA_TURN_H

#include "lattice.h"

#include <stddef.h>

enum { SV_MAX_BOXES = 26, SV_MAX_COLUMNS = 6, SV_MAX_WRITES = SV_MAX_BOXES * SV_MAX_COLUMNS };

/* A roll that may be written as an outcome, both as rows: numbers times SV_LANES. */
typedef struct {
    uint16_t roll;
    uint16_t outcome;
} sv_term;

typedef struct {
    const sv_term *terms;
    int n;
} sv_terms;

/* A roll with rules of its own (all dice alike once the box for that is written): nothing but these outcomes are
 * allowed, and `bonus` is added whatever is chosen. `served_outcomes` hold on the first roll besides. */
typedef struct {
    uint16_t roll;
    uint16_t n, n_served;
    uint16_t outcomes[SV_MAX_WRITES], served_outcomes[SV_MAX_WRITES];
    double bonus;
} sv_special;

/* What can be written on one sheet, in any of its columns. Outcome 0 is the best scratch: every roll may be written as that one.
 *
 * That is so where more points are never worth less: a box a roll makes points in is not better scratched. Where they
 * may be, the choices are `strict`: the lists name every roll with its one outcome in a box, and outcome 0 is the best
 * scratch of the boxes that have no list. */
typedef struct {
    int strict;
    int n, n_special;                   /* boxes that may be written, in the order of the sheet; special rolls */
    sv_terms scored[SV_MAX_WRITES];     /* per box: the rolls that make points in it */
    sv_terms served[SV_MAX_WRITES];     /* the same on the first roll, where it counts otherwise */
    uint16_t scratch[SV_MAX_WRITES];    /* the outcome of scratching it */
    sv_terms win;                       /* the rolls that win at once on the first roll */
    sv_special special[SV_FACES];
} sv_choices;

/* Doubles in so many rows. */
static inline size_t sv_lines(size_t rows)
{
    return rows * SV_LANES;
}

/* The next address where a row of lanes fits a cache line; rows that straddle two are half as fast. */
static inline double *sv_aligned(double *memory)
{
    uintptr_t line = SV_LANES * sizeof(double);
    return (double *)(((uintptr_t)memory + line - 1) / line * line);
}

/* The steps of a turn, each for the first `lanes` lanes. Writing: x[roll] = the best outcome of each roll. */
void sv_write_rolls(const sv_lattice *t, const sv_choices *c, int lanes, const double *outcomes, double *x);
void sv_write_rolls_1(const sv_lattice *t, const sv_choices *c, const double *outcomes, double *x);
/* One reroll more: x[hold] becomes the value of holding it when n rerolls are left, called for n = 1, 2, ...
 * `scratch` has a row per hold; only locked holds use it. */
void sv_reroll(const sv_lattice *t, int n, int locked, int lanes, double *x, double *scratch);
void sv_reroll_1(const sv_lattice *t, int n, int locked, double *x, double *scratch);
/* What counts otherwise on the first roll: x[roll] becomes the better of itself and what the roll is worth served. */
void sv_serve(const sv_lattice *t, const sv_choices *c, const double *outcomes, double *x);
/* x[hold] becomes the greatest of x over the holds within it, on the lattice of `dice` dice (t->dice or fewer). */
void sv_best_within(const sv_lattice *t, int dice, double *x);
/* The first roll: value[lane] = the mean over all rolls of the best hold (with `rerolls` to come) or outcome, served
 * ones too. */
void sv_first_roll(const sv_lattice *t, const sv_choices *c, int rerolls, int lanes, const double *outcomes, double *x,
                   double *value);

/* The same for floats, in rows of SV_FLOATS. Sums over all first rolls are taken in double. */
void sv_write_rolls_f(const sv_lattice *t, const sv_choices *c, int lanes, const float *outcomes, float *x);
void sv_reroll_f(const sv_lattice *t, int n, int locked, int lanes, float *x, float *scratch);
void sv_first_roll_f(const sv_lattice *t, const sv_choices *c, int rerolls, int lanes, const float *outcomes, float *x,
                     double *value);

/* The same for pairs of numbers: SV_PLANE behind each value of x and of the outcomes lies a number that goes with it.
 * Where the best of several values is taken, so is the number. `value`: the values of all lanes, then the numbers. */
void sv_write_rolls_p(const sv_lattice *t, const sv_choices *c, int lanes, const double *outcomes, double *x);
void sv_reroll_p(const sv_lattice *t, int n, int locked, int lanes, double *x, double *scratch);
void sv_first_roll_p(const sv_lattice *t, const sv_choices *c, int rerolls, int lanes, const double *outcomes, double *x,
                     double *value);
void sv_write_rolls_pf(const sv_lattice *t, const sv_choices *c, int lanes, const float *outcomes, float *x);
void sv_reroll_pf(const sv_lattice *t, int n, int locked, int lanes, float *x, float *scratch);
void sv_first_roll_pf(const sv_lattice *t, const sv_choices *c, int rerolls, int lanes, const float *outcomes, float *x,
                      double *value);

#endif
