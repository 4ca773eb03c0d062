/* Sheets of several columns: every turn writes one box of one column.
 *
 * Of the columns, one is the inner one: the values of all its sheets, numbered as in sheet.h, make a *block*. There is a
 * block for every state of the other columns. A turn that writes a box of another column leads to the same sheet of
 * another block; so all lanes of a row have the same choices, and the steps of a turn are those of a single column.
 * Outcomes of different columns have different numbers; those with the bonus for a further five follow all others, as in
 * spans.h.
 */
#ifndef SERVIDA_BLOCKS_H
#define SERVIDA_BLOCKS_H

#include "spans.h"

typedef struct {
    const sv_game *game;
    sv_sheet sheet;
} sv_column;

/* Columns, the inner one first, and what the boxes of the others lead to: points, and the first value of a block. */
typedef struct {
    sv_column *columns;
    int n, n_sources;
    const sv_source *sources;
} sv_columns;

/* Doubles of working memory for the functions below. */
size_t sv_columns_memory(const sv_columns *c);
/* Solves all lanes of a row of the inner column in `block`, in which the rows with one box more have been solved. */
void sv_solve_columns(const sv_columns *c, double *block, int64_t lower, int upper, double *memory);
/* Solves a turn from the columns' sheets, of which the inner one stands at `lane`: holds and outcomes are rows of
 * SV_LANES of which the first number counts, `rerolls` to come. */
void sv_columns_turn(const sv_columns *c, const double *block, int lane, int rerolls, double *holds, double *outcomes,
                     double *memory);

#endif
