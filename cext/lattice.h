/* The lattice of holds: every multiset of at most `dice` dice, and which lies one die above or below which.
 *
 * Holds are numbered by size, and within a size in lexicographic order of their sorted faces:
 *
 *   0: {}   1..6: {1} .. {6}   7: {1,1}  8: {1,2} ...   first[dice] .. : the rolls (holds of all dice)
 *
 * so every hold's subsets have smaller numbers, and one array serves for holds and rolls alike. The kernel keeps a row
 * of SV_LANES doubles per hold; its own tables give *rows*, hold numbers times SV_LANES, ready to be added to a pointer.
 */
#ifndef SERVIDA_LATTICE_H
#define SERVIDA_LATTICE_H

#include <stdint.h>

enum { SV_FACES = 6, SV_MAX_DICE = 6, SV_MAX_HOLDS = 924, SV_MAX_SUMS = 18564, SV_LANES = 8, SV_FLOATS = 16 };
/* Where numbers come in pairs (turn.h), the second of each lies that far behind the first; not a multiple of a page. */
enum { SV_MAX_ROWS = 2048, SV_PLANE = SV_MAX_ROWS * SV_FLOATS + 17 * SV_FLOATS };

/* The rows of a hold and of the holds that lack one of its dice. */
typedef struct {
    uint16_t hold;
    uint16_t below[SV_FACES];
} sv_step;

typedef struct {
    int dice;
    int holds;                               /* all of them, rolls included */
    int first[SV_MAX_DICE + 2];              /* first hold of each size; first[dice + 1] == holds */
    uint16_t above[SV_MAX_HOLDS][SV_FACES];  /* the hold with one more die of that face (sizes < dice) */
    uint16_t up[SV_MAX_HOLDS][SV_FACES];     /* the same as rows */
    uint8_t count[SV_MAX_HOLDS][SV_FACES];   /* dice per face */
    double chance[SV_MAX_HOLDS];             /* of each roll when all dice are thrown, by roll number */
    /* steps[...]: the holds of a size, those with 1 distinct face first, then 2, ...;
     * the ones of size k with d distinct faces are steps[step_first[k][d]] .. steps[step_first[k][d + 1] - 1]. */
    sv_step steps[SV_MAX_HOLDS];
    int step_first[SV_MAX_DICE + 1][SV_FACES + 2];
    double step_chance[SV_MAX_HOLDS];        /* of the rolls among them */
    /* sums[sum_first[h] + d]: the row of hold h with the dice of hold d added (sizes adding to at most `dice`); locked holds. */
    uint16_t sums[SV_MAX_SUMS];
    int sum_first[SV_MAX_HOLDS];
} sv_lattice;

/* Fills the tables for 1..6 dice. */
void sv_lattice_init(sv_lattice *t, int dice);

#endif
