/* Sheets of several columns, relaxed: each column by itself, with prices for what it takes from the others; docs/bound.md.
 *
 * A column is a sheet of one column (sheet.h). In every turn it sees dice of its own and either writes one of its boxes
 * or passes; it must be full at the end. values[t * size + ...] is what it is worth at best before turn t, in points of
 * the column: its multiplier is left out, and prices are divided by it.
 */
#ifndef SERVIDA_RELAX_H
#define SERVIDA_RELAX_H

#include "sheet.h"

/* The prices of one turn for one column, as what it is paid. */
typedef struct {
    const double *write, *pass;    /* per roll: for writing it, for passing when the dice lie so */
    const double *hold;            /* [rerolls to come - 1][hold]: for holding; or NULL */
} sv_prices;

/* Doubles of working memory sv_relax_row needs. */
size_t sv_relax_memory(const sv_game *g);
/* The values of all lanes of one (lower, upper) before a turn, from `next`, those before the next turn. */
void sv_relax_row(const sv_game *g, const sv_prices *p, const double *next, double *values, int64_t lower, int upper,
                  int may_pass, double *memory);

/* One column in play. */
typedef struct {
    sv_sheet sheet;
    int total;                     /* under the upper bonus */
} sv_column;

/* Who plays: all columns as one team whose values are added up, or one relaxed column by itself, which has prices. */
typedef struct {
    int columns, turns;
    const sv_game *games[SV_MAX_BOXES];
    const double *values[SV_MAX_BOXES];
    double multiplier[SV_MAX_BOXES];
    int64_t size;                  /* values before one turn */
    const double *extra;           /* [turn][column][box][columns where it is open]: added to what writing is worth */
    const double *write, *pass, *hold; /* [turn][...] of one relaxed column; write NULL: a team */
} sv_team;

/* What came up, added to what is there; each may be NULL. */
typedef struct {
    double *shadow;                /* [turn][roll]: of a team, what writing the roll is worth beyond not having it */
    int64_t *finals, *writes;      /* [turn][roll]: turns that ended so, and those among them that were written */
    int64_t *holds;                /* [turn][rerolls to come - 1][hold] */
} sv_tally;

/* What came up in the games, per game and turn, game by game; each may be NULL. */
typedef struct {
    uint32_t *written;             /* [game][turn][column]: boxes written before the turn */
    double *worth;                 /* [game][turn]: what the values say before the turn, the sum over the columns */
    double *gained;                /* [game][turn]: points made in the turn */
} sv_record;

size_t sv_team_memory(const sv_team *team);
/* Plays games first .. first + n - 1 from turn `turn` on; columns[game][column] and points[game] come as they are at
 * that turn and leave as they are at the end. */
void sv_play_team(const sv_team *team, uint64_t seed, uint64_t first, size_t n, int turn, sv_column *columns,
                  double *points, const sv_tally *tally, const sv_record *record, double *memory);
/* Solves the turn of one position: x[hold] = the value of holding it with `rerolls` to come (0: of writing a roll),
 * outcomes[column * outcomes + o] that of writing, all beyond the worth of the columns as they are. */
void sv_team_turn(const sv_team *team, int turn, const sv_column *columns, int rerolls, double *holds,
                  double *outcomes, double *memory);

#endif
