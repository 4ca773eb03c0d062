/* Solving a pair of rows LANES needs at a time in the type REAL, the one its values are kept in; included once per type,
 * with NAME(x) naming the copies and STEP(x) the steps of a turn for pairs of numbers (turn.h). */

SV_INLINE void NAME(fill)(double value, double tie, REAL *restrict out)
{
    for (int l = 0; l < LANES; l++)
        out[l] = (REAL)value;
    for (int l = 0; l < LANES; l++)
        out[SV_PLANE + l] = (REAL)tie;
}

SV_INLINE void NAME(raise_to)(const REAL *restrict in, REAL *restrict out)
{
    for (int l = 0; l < LANES; l++)
        if (in[l] > out[l]) {
            out[l] = in[l];
            out[SV_PLANE + l] = in[SV_PLANE + l];
        }
}

/* The values and ties of one source for LANES needs in a row from `need` on. */
SV_INLINE void NAME(load_row)(const REAL *values, const REAL *ties, const sv_span_source *s, int need, REAL *out)
{
    const REAL *row = values + s->start, *even = ties + s->start;
    int at = need - s->shift - s->low;

    if (at + LANES <= 1) {
        NAME(fill)(row[0], even[0], out);
    } else if (at >= s->width - 1) {
        NAME(fill)(row[s->width - 1], even[s->width - 1], out);
    } else if (at >= 0 && at + LANES <= s->width) {
        memcpy(out, row + at, LANES * sizeof *out);
        memcpy(out + SV_PLANE, even + at, LANES * sizeof *out);
    } else {
        for (int l = 0; l < LANES; l++) {
            int place = sv_clamp(at + l, 0, s->width - 1);
            out[l] = row[place];
            out[SV_PLANE + l] = even[place];
        }
    }
}

SV_CLONES
static void NAME(load_rows)(const sv_pairs *pairs, const sv_aim *aim, const sv_span_source *list, int n, int need,
                            REAL *outcomes)
{
    const REAL *values = pairs->values.values, *ties = pairs->ties;

    NAME(fill)(aim->win, 0, outcomes + SV_WIN * LANES);
    NAME(fill)(-INFINITY, 0, outcomes + SV_SCRATCH * LANES);
    for (int i = 0; i < n; i++) {
        REAL *out = outcomes + (size_t)list[i].outcome * LANES;
        NAME(load_row)(values, ties, &list[i], need, out);
        if (list[i].scratch)
            NAME(raise_to)(out, outcomes + SV_SCRATCH * LANES);
    }
}

static void NAME(solve)(const sv_game *g, const sv_pairs *pairs, const sv_aim *aim, const sv_choices *choices,
                        const sv_span_source *list, int n, int low, int width, double *values, double *ties, REAL *x)
{
    const sv_lattice *t = &g->lattice;
    REAL *outcomes = x + 2 * SV_PLANE, *scratch = outcomes + 2 * SV_PLANE;
    double both[2 * LANES];

    for (int first = 0; first < width; first += LANES) {
        int lanes = width - first < LANES ? width - first : LANES;
        NAME(load_rows)(pairs, aim, list, n, low + first, outcomes);
        STEP(write_rolls)(t, choices, lanes, outcomes, x);
        for (int r = 1; r < g->rolls; r++)
            STEP(reroll)(t, r, g->locked, lanes, x, scratch);
        STEP(first_roll)(t, choices, g->rolls - 1, lanes, outcomes, x, both);
        memcpy(values + first, both, (size_t)lanes * sizeof *both);
        memcpy(ties + first, both + LANES, (size_t)lanes * sizeof *both);
    }
}
