/* The steps of a turn for LANES lanes; included once per number of lanes, with NAME(x) naming the copies. Each loop
 * over lanes runs over contiguous doubles with a constant count, so that a compiler turns it into vector code; the
 * order of additions is fixed in the source, so every machine gets the same bits. */

#define IN const double *restrict
#define EACH_LANE for (int l = 0; l < LANES; l++)

SV_INLINE void NAME(copy)(double *restrict out, IN a)
{
    memcpy(out, a, LANES * sizeof *out);
}

SV_INLINE void NAME(add_scaled)(double *restrict out, double factor, IN a)
{
    EACH_LANE
        out[l] += factor * a[l];
}

SV_INLINE void NAME(mean_of)(double *restrict out, IN a, IN b, IN c, IN d, IN e, IN f)
{
    EACH_LANE
        out[l] = ((a[l] + b[l]) + (c[l] + d[l]) + (e[l] + f[l])) * (1.0 / SV_FACES);
}

SV_INLINE void NAME(best_of_1)(double *restrict out, IN a)
{
    EACH_LANE
        out[l] = sv_better(out[l], a[l]);
}

SV_INLINE void NAME(best_of_2)(double *restrict out, IN a, IN b)
{
    EACH_LANE
        out[l] = sv_better(out[l], sv_better(a[l], b[l]));
}

SV_INLINE void NAME(best_of_3)(double *restrict out, IN a, IN b, IN c)
{
    EACH_LANE
        out[l] = sv_better(sv_better(out[l], a[l]), sv_better(b[l], c[l]));
}

SV_INLINE void NAME(best_of_4)(double *restrict out, IN a, IN b, IN c, IN d)
{
    EACH_LANE
        out[l] = sv_better(sv_better(out[l], sv_better(a[l], b[l])), sv_better(c[l], d[l]));
}

/* The mean over one more die: x[h] for all holds of fewer than `dice` dice, largest first. */
SV_INLINE void NAME(mean_up)(const sv_lattice *t, int dice, double *restrict x)
{
    for (int h = t->first[dice] - 1; h >= 0; h--) {
        const uint16_t *up = t->up[h];
        NAME(mean_of)(x + (size_t)h * SV_LANES, x + up[0], x + up[1], x + up[2], x + up[3], x + up[4], x + up[5]);
    }
}

/* Each hold of size k becomes the best of itself and of the holds that lack one of its dice; `then` follows with the
 * step `s`. The holds are listed by their number of distinct faces: each loop has a fixed number of operands. */
#define EACH_STEP(distinct)                                                                                            \
    for (const sv_step *s = t->steps + t->step_first[k][distinct], *e = t->steps + t->step_first[k][(distinct) + 1];   \
         s < e; s++)
#define BELOW(i) (x + s->below[i])
#define BEST_OF_SIZE(then)                                                                                             \
    EACH_STEP(1) {                                                                                                     \
        NAME(best_of_1)(x + s->hold, BELOW(0));                                                                        \
        then;                                                                                                          \
    }                                                                                                                  \
    EACH_STEP(2) {                                                                                                     \
        NAME(best_of_2)(x + s->hold, BELOW(0), BELOW(1));                                                              \
        then;                                                                                                          \
    }                                                                                                                  \
    EACH_STEP(3) {                                                                                                     \
        NAME(best_of_3)(x + s->hold, BELOW(0), BELOW(1), BELOW(2));                                                    \
        then;                                                                                                          \
    }                                                                                                                  \
    for (int distinct = 4; distinct <= SV_FACES; distinct++)                                                           \
        EACH_STEP(distinct) {                                                                                          \
            NAME(best_of_4)(x + s->hold, BELOW(0), BELOW(1), BELOW(2), BELOW(3));                                      \
            for (int i = 4; i < distinct; i++)                                                                         \
                NAME(best_of_1)(x + s->hold, BELOW(i));                                                                \
            then;                                                                                                      \
        }

/* The best subset: x[h] becomes the maximum over all holds within h, for sizes 1 .. dice. */
SV_INLINE void NAME(best_within)(const sv_lattice *t, int dice, double *restrict x)
{
    for (int k = 1; k <= dice; k++) {
        BEST_OF_SIZE((void)0)
    }
}

/* Locked holds: what is set aside stays so. Holding h, the dice thrown make some d, and the best is over the holds
 * between h and h + d: the same two walks on the smaller lattice of the dice not held. Small holds come first: each
 * needs the old values of larger ones only. */
SV_INLINE void NAME(locked_reroll)(const sv_lattice *t, double *restrict x, double *restrict y)
{
    for (int k = 0; k < t->dice; k++) {
        int thrown = t->dice - k;
        for (int h = t->first[k]; h < t->first[k + 1]; h++) {
            const uint16_t *sum = t->sums + t->sum_first[h];
            for (int d = 0; d < t->first[thrown + 1]; d++)
                NAME(copy)(y + (size_t)d * SV_LANES, x + sum[d]);
            NAME(best_within)(t, thrown, y);
            NAME(mean_up)(t, thrown, y);
            NAME(copy)(x + (size_t)h * SV_LANES, y);
        }
    }
}

SV_INLINE void NAME(reroll)(const sv_lattice *t, int n, int locked, double *restrict x, double *restrict scratch)
{
    if (n > 1 && locked) {
        NAME(locked_reroll)(t, x, scratch);
        return;
    }
    if (n > 1)
        NAME(best_within)(t, t->dice, x);
    NAME(mean_up)(t, t->dice, x);
}

/* Applies lists of terms: each roll becomes the better of itself and an outcome it may be written as. */
SV_INLINE void NAME(better_terms)(const sv_terms *lists, int n, const double *restrict outcomes, double *restrict rolls)
{
    for (int i = 0; i < n; i++)
        for (const sv_term *p = lists[i].terms, *end = p + lists[i].n; p < end; p++)
            NAME(best_of_1)(rolls + p->roll, outcomes + p->outcome);
}

SV_INLINE void NAME(best_outcome)(const uint16_t *list, int n, double bonus, const double *outcomes, double *best)
{
    NAME(copy)(best, outcomes + (size_t)list[0] * SV_LANES);
    for (int i = 1; i < n; i++)
        NAME(best_of_1)(best, outcomes + (size_t)list[i] * SV_LANES);
    EACH_LANE
        best[l] += bonus;
}

/* x[roll] = the best outcome of each roll by these lists, one per box. */
SV_INLINE void NAME(write_lists)(const sv_lattice *t, const sv_choices *c, const sv_terms *lists, int served,
                                 const double *outcomes, double *rolls)
{
    for (int r = 0; r < t->holds - t->first[t->dice]; r++)
        NAME(copy)(rolls + (size_t)r * SV_LANES, outcomes);
    NAME(better_terms)(lists, c->n, outcomes, rolls);
    for (int i = 0; i < c->n_special; i++) {
        const sv_special *s = &c->special[i];
        NAME(best_outcome)(served ? s->served_outcomes : s->outcomes, served ? s->n_served : s->n, s->bonus, outcomes,
                           rolls + (size_t)s->roll * SV_LANES);
    }
}

/* Writing: x[roll] = the best outcome of each roll. */
SV_INLINE void NAME(write_rolls)(const sv_lattice *t, const sv_choices *c, const double *outcomes, double *x)
{
    NAME(write_lists)(t, c, c->scored, 0, outcomes, x + (size_t)t->first[t->dice] * SV_LANES);
}

/* What counts otherwise on the first roll: x[roll] becomes the better of itself and what the roll is worth served. */
SV_INLINE void NAME(serve)(const sv_lattice *t, const sv_choices *c, const double *outcomes, double *x)
{
    double *rolls = x + (size_t)t->first[t->dice] * SV_LANES;

    if (c->strict) { /* served points come instead of the others, better or not */
        NAME(write_lists)(t, c, c->served, 1, outcomes, rolls);
        NAME(better_terms)(&c->win, 1, outcomes, rolls);
        return;
    }
    NAME(better_terms)(c->served, c->n, outcomes, rolls);
    NAME(better_terms)(&c->win, 1, outcomes, rolls);
    for (int i = 0; i < c->n_special; i++) {
        const sv_special *s = &c->special[i];
        double best[SV_LANES];
        NAME(best_outcome)(s->served_outcomes, s->n_served, s->bonus, outcomes, best);
        NAME(best_of_1)(rolls + (size_t)s->roll * SV_LANES, best);
    }
}

/* The first roll: value[lane] = the mean over all rolls of the best hold or outcome, served ones too. The rolls' own
 * rows are read by nothing else now, so what is served can go into them before the holds are compared. */
SV_INLINE void NAME(first_roll)(const sv_lattice *t, const sv_choices *c, int rerolls, const double *outcomes, double *x,
                                double *value)
{
    const double *chance = t->step_chance + t->first[t->dice];
    double sum[4][SV_LANES] = {{0}};  /* four at a time: an addition takes several cycles */
    int k = t->dice, n = 0;

    NAME(serve)(t, c, outcomes, x);
    if (rerolls == 0) {
        for (const sv_step *s = t->steps + t->first[k]; n < t->holds - t->first[k]; s++, n++)
            NAME(add_scaled)(sum[n % 4], chance[n], x + s->hold);
    } else {
        NAME(best_within)(t, k - 1, x);
        BEST_OF_SIZE(NAME(add_scaled)(sum[n % 4], chance[n], x + s->hold); n++)
    }
    EACH_LANE
        value[l] = (sum[0][l] + sum[1][l]) + (sum[2][l] + sum[3][l]);
}

#undef IN
#undef EACH_LANE
#undef EACH_STEP
#undef BELOW
#undef BEST_OF_SIZE
