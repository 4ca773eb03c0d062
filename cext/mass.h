/* The chances of all totals on all sheets: which arrays there are, and the memory they lie in. */
#ifndef SERVIDA_MASS_H
#define SERVIDA_MASS_H

#include "sheet.h"

/* The chances of one lane. */
typedef struct {
    double *chance;     /* chance[p - base]: of p points; NULL while no play leads to the lane */
    int base, size;
    int begin, end;     /* the points there is anything for; what lies outside is undefined */
    double sum;
} sv_span;

struct sv_pool;

/* The chances of all totals. Live lanes have them by points outside the upper total, settled ones by all points. */
typedef struct {
    sv_span **row;      /* row[lower * uppers + upper][lane]; NULL while no play leads to the row */
    size_t rows;
    struct sv_pool *pool;
} sv_masses;

/* Nothing has any chance yet; 0, or -1 when memory ran out. To be closed in either case. */
int sv_masses_open(sv_masses *mass, size_t rows);
void sv_masses_close(sv_masses *mass);
/* The row's lanes; NULL when memory ran out. */
sv_span *sv_mass_row(const sv_game *g, sv_masses *mass, int64_t lower, int upper);
/* Whole lines of a lane that are about to be used are cleared where nothing was yet; -1 when memory ran out. */
int sv_mass_reserve(sv_masses *mass, sv_span *s, int begin, int end);
/* What the lane has is not needed any more. */
void sv_mass_release(sv_masses *mass, sv_span *s);

#endif
