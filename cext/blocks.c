#include "blocks.h"

#include <string.h>

size_t sv_columns_memory(const sv_columns *c)
{
    const sv_game *g = c->columns[0].game;
    size_t list = sv_span_outcomes(g) * sizeof(sv_source) / sizeof(double) + 1;
    return SV_LANES + sv_lines(2 * (size_t)g->lattice.holds + sv_span_outcomes(g)) + list +
           (size_t)g->outcomes * sv_row_lanes(g);
}

static int is_special(const sv_column *column)
{
    return column->game->five >= 0 && (column->sheet.written >> column->game->five & 1);
}

/* The outcomes of a roll of all dice alike, in all columns; returns how many. */
static int list_writes(const sv_columns *c, int roll, int served, uint16_t *outcomes)
{
    int n = 0;

    for (int k = 0; k < c->n; k++) {
        const sv_game *g = c->columns[k].game;
        sv_write writes[SV_MAX_BOXES];
        double bonus;
        int found = sv_writes(g, &c->columns[k].sheet, roll, served, writes, &bonus);
        for (int i = 0; i < found; i++)
            outcomes[n++] = (uint16_t)(writes[i].outcome + (bonus > 0 ? g->outcomes : 0));
    }
    return n;
}

static void choose(const sv_columns *c, sv_choices *choices)
{
    const sv_game *g = c->columns[0].game;
    int special = 0;

    choices->strict = choices->n = choices->n_special = choices->win.n = 0;
    for (int k = 0; k < c->n; k++)
        special |= is_special(&c->columns[k]);
    for (int k = 0; k < c->n; k++)
        sv_add_boxes(c->columns[k].game, &c->columns[k].sheet, 0, special, choices);
    for (int f = 0; special && f < SV_FACES; f++) {
        sv_special *s = &choices->special[choices->n_special++];
        s->roll = (uint16_t)g->alike[f];
        s->bonus = 0;
        s->n = (uint16_t)list_writes(c, s->roll, 0, s->outcomes);
        s->n_served = (uint16_t)list_writes(c, s->roll, 1, s->served_outcomes);
    }
}

/* The outcomes of all columns for a row of the inner one, those of the others at its first lane. */
static int list_sources(const sv_columns *c, const double *block, sv_source *list, double *room)
{
    const sv_game *g = c->columns[0].game;
    const sv_sheet *s = &c->columns[0].sheet;
    int64_t row = s->lower * g->slots + g->slot[s->upper];
    int n = sv_list_sources(g, block, s, list, room);

    if (g->five >= 0 && g->five_bonus > 0 && (s->holding >> g->five & 1))
        for (int i = 0, plain = n; i < plain; i++) {
            list[n] = list[i];
            list[n].outcome += g->outcomes;
            list[n++].points += g->multiplier * g->five_bonus;
        }
    for (int i = 0; i < c->n_sources; i++) {
        list[n] = c->sources[i];
        list[n++].values += row;
    }
    return n;
}

static int is_full(const sv_columns *c)
{
    for (int k = 0; k < c->n; k++)
        if (sv_playable(c->columns[k].game, c->columns[k].sheet.written))
            return 0;
    return 1;
}

void sv_solve_columns(const sv_columns *c, double *block, int64_t lower, int upper, double *memory)
{
    const sv_game *g = c->columns[0].game;
    double *x = sv_aligned(memory), *room = x + sv_lines(2 * (size_t)g->lattice.holds + sv_span_outcomes(g));
    sv_source *list = (sv_source *)(room + (size_t)g->outcomes * sv_row_lanes(g));
    double *row = block + lower * g->slots + g->slot[upper];
    int lanes = g->live[upper] + 1;
    sv_choices choices;

    c->columns[0].sheet = sv_sheet_of(g, lower, upper);
    if (is_full(c)) {
        memset(row, 0, (size_t)lanes * sizeof *row);
        return;
    }
    choose(c, &choices);
    int n = list_sources(c, block, list, room);
    sv_solve_lanes(g, &choices, list, n, lanes, row, x);
}

void sv_columns_turn(const sv_columns *c, const double *block, int lane, int rerolls, double *holds, double *outcomes,
                     double *memory)
{
    const sv_game *g = c->columns[0].game;
    double *scratch = sv_aligned(memory), *room = scratch + sv_lines((size_t)g->lattice.holds);
    sv_source *list = (sv_source *)(room + (size_t)g->outcomes * sv_row_lanes(g));
    sv_choices choices;

    choose(c, &choices);
    int n = list_sources(c, block, list, room);
    sv_gather_outcomes(g, list, n, &lane, 1, outcomes);
    sv_write_rolls_1(&g->lattice, &choices, outcomes, holds);
    for (int r = 1; r <= rerolls; r++)
        sv_reroll_1(&g->lattice, r, g->locked, holds, scratch);
}
