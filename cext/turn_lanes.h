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

/* The best subset: x[h] becomes the maximum over all holds within h, for sizes 1 .. dice. The holds of each size are
 * listed by their number of distinct faces, so that each loop has a fixed number of operands. */
#define EACH_STEP(count)                                                                                               \
    for (const sv_step *s = t->steps + t->step_first[k][count], *end = t->steps + t->step_first[k][(count) + 1];       \
         s < end; s++)

SV_INLINE void NAME(best_within)(const sv_lattice *t, int dice, double *restrict x)
{
    for (int k = 1; k <= dice; k++) {
        EACH_STEP(1)
            NAME(best_of_1)(x + s->hold, x + s->below[0]);
        EACH_STEP(2)
            NAME(best_of_2)(x + s->hold, x + s->below[0], x + s->below[1]);
        EACH_STEP(3)
            NAME(best_of_3)(x + s->hold, x + s->below[0], x + s->below[1], x + s->below[2]);
        EACH_STEP(4)
            NAME(best_of_4)(x + s->hold, x + s->below[0], x + s->below[1], x + s->below[2], x + s->below[3]);
        for (int d = 5; d <= SV_FACES; d++)
            EACH_STEP(d) {
                const uint16_t *b = s->below;
                NAME(best_of_4)(x + s->hold, x + b[0], x + b[1], x + b[2], x + b[3]);
                for (int i = 4; i < d; i++)
                    NAME(best_of_1)(x + s->hold, x + b[i]);
            }
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

#undef IN
#undef EACH_LANE
#undef EACH_STEP
