/* Sheets of several columns, relaxed: their boxes fall into parts, and each part plays by itself, with payments for what
 * it takes from the others; docs/bound.md.
 *
 * In every turn a part sees dice of its own and either writes one of its boxes or passes; it must be full at the end.
 * Its values before turn t are values[t * size + ...]. A part is of one of two kinds:
 *
 *   sheet  boxes of one column, as a sheet of their own (sheet.h), whose numbering of values it has; in points of the
 *          column, so payments are divided by the column's multiplier
 *   loose  boxes of any columns that pay by themselves, in no order, none under an upper bonus or required by another:
 *          the number of a state has one bit per box, set when it is written. States that cannot be filled in the turns
 *          left are worth SV_NEVER. There are at least SV_LANES numbers.
 */
#ifndef SERVIDA_RELAX_H
#define SERVIDA_RELAX_H

#include "sheet.h"

#define SV_NEVER (-1e30)           /* the worth of what cannot be done */
enum { SV_MAX_PARTS = 8, SV_MAX_LOOSE = 26 };

/* What a part is paid in one turn. */
typedef struct {
    const double *write, *pass;    /* per roll: for writing it, for passing when the dice lie so */
} sv_prices;

typedef struct {
    const sv_game *game;           /* of a sheet; NULL: the boxes are loose */
    int boxes;
    uint8_t column[SV_MAX_LOOSE], category[SV_MAX_LOOSE]; /* per box */
    const double *values;
    int64_t size;                  /* values before one turn */
} sv_part;

/* Doubles of working memory sv_relax_row needs. */
size_t sv_relax_memory(const sv_game *g);
/* The values of all lanes of one (lower, upper) of a sheet before a turn, from `next`, those before the next turn. */
void sv_relax_row(const sv_game *g, const sv_prices *p, const double *next, double *values, int64_t lower, int upper,
                  int may_pass, double *memory);
/* The values of the SV_LANES states from `first` on of loose boxes. `g`: the categories; multiplier per column. */
void sv_relax_loose(const sv_game *g, const sv_part *part, const double *multiplier, const sv_prices *p,
                    const double *next, double *values, int64_t first, double *memory);

/* One part in play; of loose boxes only sheet.written counts. */
typedef struct {
    sv_sheet sheet;
    int total;                     /* under the upper bonus */
} sv_state;

/* Who plays: all parts as one team whose values are added up, or one relaxed part by itself, which has prices. */
typedef struct {
    const sv_game *game;           /* the categories of a column: lists and numbers of outcomes */
    int columns, turns, parts;
    double multiplier[SV_MAX_PARTS]; /* per column */
    sv_part part[SV_MAX_PARTS];
    const double *extra;           /* [turn][category][columns where it is open, as bits]: added to the worth before a turn; or NULL */
    const double *write, *pass;    /* [turn][roll] of one relaxed part; write NULL: a team */
} sv_team;

/* What came up, added to what is there; each may be NULL. */
typedef struct {
    double *shadow;                /* [turn][roll]: of a team, what writing the roll is worth beyond not having it */
    int64_t *finals, *writes;      /* [turn][roll]: turns that ended so, and those among them that were written */
} sv_tally;

/* What came up in the games, per game and turn, game by game; each may be NULL. */
typedef struct {
    uint32_t *written;             /* [game][turn][column]: boxes written before the turn */
    double *worth;                 /* [game][turn]: what the values say before the turn, the sum over the parts and what is extra */
    double *ahead;                 /* [game][turn]: what they say is to come, as the mean over the dice of the turn */
    double *gained;                /* [game][turn]: points made in the turn */
} sv_record;

size_t sv_team_memory(const sv_team *team);
/* Plays games first .. first + n - 1 from turn `turn` on and before turn `end`; states[game][part] and points[game]
 * come as they are before that turn and leave as they are at the end. */
void sv_play_team(const sv_team *team, uint64_t seed, uint64_t first, size_t n, int turn, int end, sv_state *states,
                  double *points, const sv_tally *tally, const sv_record *record, double *memory);
/* Solves the turn of one position: x[hold] = the value of holding it with `rerolls` to come (0: of writing a roll),
 * outcomes[column * outcomes + o] that of writing, all beyond what staying as it is would be worth, which it returns. */
double sv_team_turn(const sv_team *team, int turn, const sv_state *states, int rerolls, double *holds,
                    double *outcomes, double *memory);

#endif
