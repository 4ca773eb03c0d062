/* Solving a row of needs LANES at a time in the type REAL, the one its values are kept in; included once per type, with
 * NAME(x) naming the copies and STEP(x) the steps of a turn (turn.h). */

SV_INLINE void NAME(fill)(double value, REAL *restrict out)
{
    for (int l = 0; l < LANES; l++)
        out[l] = (REAL)value;
}

SV_INLINE void NAME(raise_to)(const REAL *restrict in, REAL *restrict out)
{
    for (int l = 0; l < LANES; l++)
        out[l] = in[l] > out[l] ? in[l] : out[l];
}

/* The values of one source for LANES needs in a row from `need` on. */
SV_INLINE void NAME(load_row)(const REAL *values, const sv_span_source *s, int need, REAL *out)
{
    const REAL *row = values + s->start;
    int at = need - s->shift - s->low;

    if (at + LANES <= 1)
        NAME(fill)(row[0], out);
    else if (at >= s->width - 1)
        NAME(fill)(row[s->width - 1], out);
    else if (at >= 0 && at + LANES <= s->width)
        memcpy(out, row + at, LANES * sizeof *out);
    else
        for (int l = 0; l < LANES; l++)
            out[l] = row[sv_clamp(at + l, 0, s->width - 1)];
}

SV_CLONES
static void NAME(load_rows)(const REAL *values, const sv_aim *aim, const sv_span_source *list, int n, int need,
                            REAL *outcomes)
{
    NAME(fill)(aim->win, outcomes + SV_WIN * LANES);
    NAME(fill)(-INFINITY, outcomes + SV_SCRATCH * LANES);
    for (int i = 0; i < n; i++) {
        REAL *out = outcomes + (size_t)list[i].outcome * LANES;
        NAME(load_row)(values, &list[i], need, out);
        if (list[i].scratch)
            NAME(raise_to)(out, outcomes + SV_SCRATCH * LANES);
    }
}

static void NAME(solve)(const sv_game *g, const sv_spans *spans, const sv_aim *aim, const sv_choices *choices,
                        const sv_span_source *list, int n, int low, int width, double *row, REAL *x)
{
    const sv_lattice *t = &g->lattice;
    REAL *scratch = x + (size_t)t->holds * LANES, *outcomes = scratch + (size_t)t->holds * LANES;
    double value[LANES];

    for (int first = 0; first < width; first += LANES) {
        int lanes = width - first < LANES ? width - first : LANES;
        NAME(load_rows)(spans->values, aim, list, n, low + first, outcomes);
        STEP(write_rolls)(t, choices, lanes, outcomes, x);
        for (int r = 1; r < g->rolls; r++)
            STEP(reroll)(t, r, g->locked, lanes, x, scratch);
        STEP(first_roll)(t, choices, g->rolls - 1, lanes, outcomes, x, value);
        memcpy(row + first, value, (size_t)lanes * sizeof *value);
    }
}
