/* The steps of a turn for LANES lanes of type REAL, in rows of STRIDE; included once per kind, with NAME(x) naming the
 * copies and SIXTH(x) taking a sixth. Each loop over lanes runs over contiguous numbers with a constant count, so that a
 * compiler turns it into vector code; the order of additions is fixed in the source, so every machine gets the same
 * bits. The tables' row offsets are for rows of SV_LANES: ROW scales them. */

#define IN const REAL *restrict
#define ROW(x, offset) ((x) + (size_t)(offset) * (STRIDE / SV_LANES))
#define EACH_LANE for (int l = 0; l < LANES; l++)

/* A function, so that both operands are loaded before they are compared: a conditional load is not vectorised. */
SV_INLINE REAL NAME(better)(REAL a, REAL b)
{
    return a > b ? a : b;
}

SV_INLINE void NAME(copy)(REAL *restrict out, IN a)
{
    memcpy(out, a, LANES * sizeof *out);
#ifdef FOLLOWERS
    memcpy(out + SV_PLANE, a + SV_PLANE, LANES * sizeof *out);
#endif
}

/* Sums over all first rolls: in double, for what goes with the values as it comes. */
typedef struct {
    double sum[LANES];
#ifdef FOLLOWERS
    REAL second[LANES];
#endif
} NAME(sums);

SV_INLINE void NAME(add_scaled)(NAME(sums) *out, double factor, IN a)
{
    EACH_LANE
        out->sum[l] += factor * a[l];
#ifdef FOLLOWERS
    EACH_LANE
        out->second[l] += (REAL)factor * a[SV_PLANE + l];
#endif
}

SV_INLINE void NAME(mean_of)(REAL *restrict out, IN a, IN b, IN c, IN d, IN e, IN f)
{
    EACH_LANE
        out[l] = SIXTH((a[l] + b[l]) + (c[l] + d[l]) + (e[l] + f[l]));
}

#ifdef FOLLOWERS
/* The values decide, and what goes with them follows. */
SV_INLINE REAL NAME(follow)(REAL a, REAL b, REAL if_a, REAL if_b)
{
    return isgreater(b, a) ? if_b : if_a;
}

#define EACH_PAIR for (int l = 0, m = SV_PLANE; l < LANES; l++, m++)
/* All operands are loaded before any is compared, or the loops would not be vectorised. */
#define LOAD(a) REAL a##_v = a[l], a##_t = a[m]
#define BEST(x, a, b) REAL x##_v = NAME(better)(a##_v, b##_v), x##_t = NAME(follow)(a##_v, b##_v, a##_t, b##_t)
#define STORE(x) out[l] = x##_v, out[m] = x##_t

SV_INLINE void NAME(best_of_1)(REAL *restrict out, IN a)
{
    EACH_PAIR {
        LOAD(out);
        LOAD(a);
        BEST(x, out, a);
        STORE(x);
    }
}

SV_INLINE void NAME(best_of_2)(REAL *restrict out, IN a, IN b)
{
    EACH_PAIR {
        LOAD(out);
        LOAD(a);
        LOAD(b);
        BEST(x, a, b);
        BEST(y, out, x);
        STORE(y);
    }
}

SV_INLINE void NAME(best_of_3)(REAL *restrict out, IN a, IN b, IN c)
{
    EACH_PAIR {
        LOAD(out);
        LOAD(a);
        LOAD(b);
        LOAD(c);
        BEST(x, out, a);
        BEST(y, b, c);
        BEST(z, x, y);
        STORE(z);
    }
}

SV_INLINE void NAME(best_of_4)(REAL *restrict out, IN a, IN b, IN c, IN d)
{
    EACH_PAIR {
        LOAD(out);
        LOAD(a);
        LOAD(b);
        LOAD(c);
        LOAD(d);
        BEST(w, a, b);
        BEST(x, c, d);
        BEST(y, out, w);
        BEST(z, y, x);
        STORE(z);
    }
}

#undef EACH_PAIR
#undef LOAD
#undef BEST
#undef STORE
#else
SV_INLINE void NAME(best_of_1)(REAL *restrict out, IN a)
{
    EACH_LANE
        out[l] = NAME(better)(out[l], a[l]);
}

SV_INLINE void NAME(best_of_2)(REAL *restrict out, IN a, IN b)
{
    EACH_LANE
        out[l] = NAME(better)(out[l], NAME(better)(a[l], b[l]));
}

SV_INLINE void NAME(best_of_3)(REAL *restrict out, IN a, IN b, IN c)
{
    EACH_LANE
        out[l] = NAME(better)(NAME(better)(out[l], a[l]), NAME(better)(b[l], c[l]));
}

SV_INLINE void NAME(best_of_4)(REAL *restrict out, IN a, IN b, IN c, IN d)
{
    EACH_LANE
        out[l] = NAME(better)(NAME(better)(out[l], NAME(better)(a[l], b[l])), NAME(better)(c[l], d[l]));
}
#endif

/* The mean over one more die: x[h] for all holds of fewer than `dice` dice, largest first. */
SV_INLINE void NAME(mean_up)(const sv_lattice *t, int dice, REAL *restrict x)
{
    for (int h = t->first[dice] - 1; h >= 0; h--) {
        const uint16_t *up = t->up[h];
        NAME(mean_of)(x + (size_t)h * STRIDE, ROW(x, up[0]), ROW(x, up[1]), ROW(x, up[2]), ROW(x, up[3]), ROW(x, up[4]),
                      ROW(x, up[5]));
    }
}

/* Values first and then what goes with them: each by itself fits the first-level cache. */
#ifdef FOLLOWERS
#define MEAN_UP(t, dice, x) NAME(mean_up)(t, dice, x), NAME(mean_up)(t, dice, (x) + SV_PLANE)
#else
#define MEAN_UP(t, dice, x) NAME(mean_up)(t, dice, x)
#endif

/* Each hold of size k becomes the best of itself and of the holds that lack one of its dice; `then` follows with the
 * step `s`. The holds are listed by their number of distinct faces: each loop has a fixed number of operands. */
#define EACH_STEP(distinct)                                                                                            \
    for (const sv_step *s = t->steps + t->step_first[k][distinct], *e = t->steps + t->step_first[k][(distinct) + 1];   \
         s < e; s++)
#define BELOW(i) ROW(x, s->below[i])
#define BEST_OF_SIZE(then)                                                                                             \
    EACH_STEP(1) {                                                                                                     \
        NAME(best_of_1)(ROW(x, s->hold), BELOW(0));                                                                        \
        then;                                                                                                          \
    }                                                                                                                  \
    EACH_STEP(2) {                                                                                                     \
        NAME(best_of_2)(ROW(x, s->hold), BELOW(0), BELOW(1));                                                              \
        then;                                                                                                          \
    }                                                                                                                  \
    EACH_STEP(3) {                                                                                                     \
        NAME(best_of_3)(ROW(x, s->hold), BELOW(0), BELOW(1), BELOW(2));                                                    \
        then;                                                                                                          \
    }                                                                                                                  \
    for (int distinct = 4; distinct <= SV_FACES; distinct++)                                                           \
        EACH_STEP(distinct) {                                                                                          \
            NAME(best_of_4)(ROW(x, s->hold), BELOW(0), BELOW(1), BELOW(2), BELOW(3));                                      \
            for (int i = 4; i < distinct; i++)                                                                         \
                NAME(best_of_1)(ROW(x, s->hold), BELOW(i));                                                                \
            then;                                                                                                      \
        }

/* The best subset: x[h] becomes the maximum over all holds within h, for sizes 1 .. dice. */
SV_INLINE void NAME(best_within)(const sv_lattice *t, int dice, REAL *restrict x)
{
    for (int k = 1; k <= dice; k++) {
        BEST_OF_SIZE((void)0)
    }
}

/* Locked holds: what is set aside stays so. Holding h, the dice thrown make some d, and the best is over the holds
 * between h and h + d: the same two walks on the smaller lattice of the dice not held. Small holds come first: each
 * needs the old values of larger ones only. */
SV_INLINE void NAME(locked_reroll)(const sv_lattice *t, REAL *restrict x, REAL *restrict y)
{
    for (int k = 0; k < t->dice; k++) {
        int thrown = t->dice - k;
        for (int h = t->first[k]; h < t->first[k + 1]; h++) {
            const uint16_t *sum = t->sums + t->sum_first[h];
            for (int d = 0; d < t->first[thrown + 1]; d++)
                NAME(copy)(y + (size_t)d * STRIDE, ROW(x, sum[d]));
            NAME(best_within)(t, thrown, y);
            MEAN_UP(t, thrown, y);
            NAME(copy)(x + (size_t)h * STRIDE, y);
        }
    }
}

SV_INLINE void NAME(reroll)(const sv_lattice *t, int n, int locked, REAL *restrict x, REAL *restrict scratch)
{
    if (n > 1 && locked) {
        NAME(locked_reroll)(t, x, scratch);
        return;
    }
    if (n > 1)
        NAME(best_within)(t, t->dice, x);
    MEAN_UP(t, t->dice, x);
}

/* Applies lists of terms: each roll becomes the better of itself and an outcome it may be written as. */
SV_INLINE void NAME(better_terms)(const sv_terms *lists, int n, const REAL *restrict outcomes, REAL *restrict rolls)
{
    for (int i = 0; i < n; i++)
        for (const sv_term *p = lists[i].terms, *end = p + lists[i].n; p < end; p++)
            NAME(best_of_1)(ROW(rolls, p->roll), ROW(outcomes, p->outcome));
}

SV_INLINE void NAME(best_outcome)(const uint16_t *list, int n, double bonus, const REAL *outcomes, REAL *best)
{
    NAME(copy)(best, outcomes + (size_t)list[0] * STRIDE);
    for (int i = 1; i < n; i++)
        NAME(best_of_1)(best, outcomes + (size_t)list[i] * STRIDE);
    EACH_LANE
        best[l] += (REAL)bonus;
}

/* x[roll] = the best outcome of each roll by these lists, one per box. */
SV_INLINE void NAME(write_lists)(const sv_lattice *t, const sv_choices *c, const sv_terms *lists, int served,
                                 const REAL *outcomes, REAL *rolls)
{
    for (int r = 0; r < t->holds - t->first[t->dice]; r++)
        NAME(copy)(rolls + (size_t)r * STRIDE, outcomes);
    NAME(better_terms)(lists, c->n, outcomes, rolls);
    for (int i = 0; i < c->n_special; i++) {
        const sv_special *s = &c->special[i];
        NAME(best_outcome)(served ? s->served_outcomes : s->outcomes, served ? s->n_served : s->n, s->bonus, outcomes,
                           rolls + (size_t)s->roll * STRIDE);
    }
}

/* Writing: x[roll] = the best outcome of each roll. */
SV_INLINE void NAME(write_rolls)(const sv_lattice *t, const sv_choices *c, const REAL *outcomes, REAL *x)
{
    NAME(write_lists)(t, c, c->scored, 0, outcomes, x + (size_t)t->first[t->dice] * STRIDE);
}

/* What counts otherwise on the first roll: x[roll] becomes the better of itself and what the roll is worth served. */
SV_INLINE void NAME(serve)(const sv_lattice *t, const sv_choices *c, const REAL *outcomes, REAL *x)
{
    REAL *rolls = x + (size_t)t->first[t->dice] * STRIDE;

    if (c->strict) { /* served points come instead of the others, better or not */
        NAME(write_lists)(t, c, c->served, 1, outcomes, rolls);
        NAME(better_terms)(&c->win, 1, outcomes, rolls);
        return;
    }
    NAME(better_terms)(c->served, c->n, outcomes, rolls);
    NAME(better_terms)(&c->win, 1, outcomes, rolls);
    for (int i = 0; i < c->n_special; i++) {
        const sv_special *s = &c->special[i];
        REAL *roll = rolls + (size_t)s->roll * STRIDE;
#ifdef FOLLOWERS /* bonuses are among the outcomes */
        for (int j = 0; j < s->n_served; j++)
            NAME(best_of_1)(roll, outcomes + (size_t)s->served_outcomes[j] * STRIDE);
#else
        REAL best[LANES];
        NAME(best_outcome)(s->served_outcomes, s->n_served, s->bonus, outcomes, best);
        NAME(best_of_1)(roll, best);
#endif
    }
}

/* The first roll: value[lane] = the mean over all rolls of the best hold or outcome, served ones too. The rolls' own
 * rows are read by nothing else now, so what is served can go into them before the holds are compared. */
SV_INLINE void NAME(first_roll)(const sv_lattice *t, const sv_choices *c, int rerolls, const REAL *outcomes, REAL *x,
                                double *value)
{
    const double *chance = t->step_chance + t->first[t->dice];
    NAME(sums) s4[4];  /* four at a time: an addition takes several cycles */
    int k = t->dice;
    unsigned n = 0;

    memset(s4, 0, sizeof s4);

    NAME(serve)(t, c, outcomes, x);
    if (rerolls == 0) {
        for (const sv_step *s = t->steps + t->first[k]; n < (unsigned)(t->holds - t->first[k]); s++, n++)
            NAME(add_scaled)(&s4[n % 4], chance[n], ROW(x, s->hold));
    } else {
        NAME(best_within)(t, k - 1, x);
        BEST_OF_SIZE(NAME(add_scaled)(&s4[n % 4], chance[n], ROW(x, s->hold)); n++)
    }
    EACH_LANE
        value[l] = (s4[0].sum[l] + s4[1].sum[l]) + (s4[2].sum[l] + s4[3].sum[l]);
#ifdef FOLLOWERS
    EACH_LANE
        value[LANES + l] = (s4[0].second[l] + s4[1].second[l]) + (s4[2].second[l] + s4[3].second[l]);
#endif
}

#undef IN
#undef ROW
#undef EACH_LANE
#undef EACH_STEP
#undef BELOW
#undef BEST_OF_SIZE
#undef MEAN_UP
