/* The steps of sv_forward for SV_LANES lanes; see turn_lanes.h for the walks in the other direction. Each loop over
 * lanes stands in a function of its own, so that its pointers can be `restrict`. */

#define EACH_LANE for (int l = 0; l < SV_LANES; l++)
#define IN const double *restrict
#define OUT double *restrict

/* `mass` if the value is as good as the least that will do. A function, so that all operands are loaded first, and the
 * comparison that raises no exceptions, or the loops around it would not be vectorised. */
SV_INLINE double sv_if_best(double value, double least, double mass)
{
    return isgreaterequal(value, least) ? mass : 0.0;
}

/* Mass stays where holding just that is worth the best; `rest` is what does not. */
SV_INLINE void part(OUT mass, IN own, IN best, OUT rest)
{
    double stays[SV_LANES];
    EACH_LANE
        stays[l] = sv_if_best(own[l], best[l] - SV_TIE, mass[l]);
    EACH_LANE
        rest[l] = mass[l] - stays[l];
    EACH_LANE
        mass[l] = stays[l];
}

/* What of `rest` finds the best there too goes `to` another place. */
SV_INLINE void pass_on(OUT rest, IN best, IN other, OUT to)
{
    double goes[SV_LANES];
    EACH_LANE
        goes[l] = sv_if_best(other[l], best[l] - SV_TIE, rest[l]);
    EACH_LANE
        to[l] += goes[l];
    EACH_LANE
        rest[l] -= goes[l];
}

/* Mass is never negative: nothing is there when the sum is 0. */
SV_INLINE int is_empty(IN m)
{
    return ((m[0] + m[1]) + (m[2] + m[3])) + ((m[4] + m[5]) + (m[6] + m[7])) == 0;
}

SV_INLINE void sixth_of_1(OUT out, IN a)
{
    EACH_LANE
        out[l] += a[l] * (1.0 / SV_FACES);
}

SV_INLINE void sixth_of_2(OUT out, IN a, IN b)
{
    EACH_LANE
        out[l] += (a[l] + b[l]) * (1.0 / SV_FACES);
}

SV_INLINE void sixth_of_3(OUT out, IN a, IN b, IN c)
{
    EACH_LANE
        out[l] += (a[l] + b[l] + c[l]) * (1.0 / SV_FACES);
}

#define EACH_STEP(k, distinct)                                                                                         \
    for (const sv_step *s = t->steps + t->step_first[k][distinct], *e = t->steps + t->step_first[k][(distinct) + 1];   \
         s < e; s++)

/* Mass that arrives at rolls goes to the holds that optimal play keeps. q[h]: the mass at h, in the end what is held
 * exactly so; x[h]: the value of holding h (of writing, for rolls); best[h]: the greatest of x over the holds in h. */
SV_INLINE void descend(const sv_lattice *t, int dice, const double *x, const double *best, double *q)
{
    for (int k = dice; k > 0; k--)
        for (int d = 1; d <= SV_FACES; d++)
            EACH_STEP(k, d) {
                double rest[SV_LANES];
                if (is_empty(q + s->hold))
                    continue;
                part(q + s->hold, x + s->hold, best + s->hold, rest);
                for (int i = d - 1; i >= 0; i--)
                    pass_on(rest, best + s->hold, best + s->below[i], q + s->below[i]);
            }
}

/* The dice not held are thrown: the mass held becomes mass at rolls. */
SV_INLINE void throw_up(const sv_lattice *t, int dice, double *q)
{
    for (int k = 1; k <= dice; k++) {
        EACH_STEP(k, 1)
            sixth_of_1(q + s->hold, q + s->below[0]);
        EACH_STEP(k, 2)
            sixth_of_2(q + s->hold, q + s->below[0], q + s->below[1]);
        for (int d = 3; d <= SV_FACES; d++)
            EACH_STEP(k, d) {
                sixth_of_3(q + s->hold, q + s->below[0], q + s->below[1], q + s->below[2]);
                for (int i = 3; i < d; i++)
                    sixth_of_1(q + s->hold, q + s->below[i]);
            }
    }
}

#undef EACH_LANE
#undef EACH_STEP
#undef IN
#undef OUT
