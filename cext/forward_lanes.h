/* The steps of sv_forward for LANES lanes; included once per number of lanes, with NAME(x) naming the copies. See
 * turn_lanes.h for the walks in the other direction. Each loop over lanes stands in a function of its own, so that its
 * pointers can be `restrict`.
 *
 * choice[row + lane] is where mass at a row goes: an index into the array it goes to. */

#define EACH_LANE for (int l = 0; l < LANES; l++)
#define IN const double *restrict
#define OUT double *restrict
#define FROM const int64_t *restrict
#define TO int64_t *restrict
#define ROW int64_t
#define EACH_STEP(k, distinct)                                                                                         \
    for (const sv_step *s = t->steps + t->step_first[k][distinct], *e = t->steps + t->step_first[k][(distinct) + 1];   \
         s < e; s++)

/* A hold: `best` becomes the greatest value within it, and the choice what is held of it: all of it where that is worth
 * the best, or else what is held of the dice left when the highest face goes whose loss costs nothing. a, b, ...: the
 * best without a die of the lowest face, the next, ...; one is good enough if the hold itself is not. */
SV_INLINE void NAME(choose_of_1)(ROW row, IN own, OUT best, TO choice, IN a, FROM of_a)
{
    EACH_LANE {
        double most = sv_greater(own[l], a[l]);
        choice[l] = sv_pick(own[l], most - SV_TIE, row + sv_lane[l], of_a[l]);
        best[l] = most;
    }
}

SV_INLINE void NAME(choose_of_2)(ROW row, IN own, OUT best, TO choice, IN a, IN b, FROM of_a, FROM of_b)
{
    EACH_LANE {
        double most = sv_greater(own[l], sv_greater(a[l], b[l])), least = most - SV_TIE;
        int64_t found = sv_pick(b[l], least, of_b[l], of_a[l]);
        choice[l] = sv_pick(own[l], least, row + sv_lane[l], found);
        best[l] = most;
    }
}

SV_INLINE void NAME(choose_of_3)(ROW row, IN own, OUT best, TO choice, IN a, IN b, IN c, FROM of_a, FROM of_b,
                                 FROM of_c)
{
    EACH_LANE {
        double most = sv_greater(sv_greater(own[l], a[l]), sv_greater(b[l], c[l])), least = most - SV_TIE;
        int64_t found = sv_pick(c[l], least, of_c[l], sv_pick(b[l], least, of_b[l], of_a[l]));
        choice[l] = sv_pick(own[l], least, row + sv_lane[l], found);
        best[l] = most;
    }
}

SV_INLINE void NAME(choose_of_4)(ROW row, IN own, OUT best, TO choice, IN a, IN b, IN c, IN d, FROM of_a, FROM of_b,
                                 FROM of_c, FROM of_d)
{
    EACH_LANE {
        double most = sv_greater(own[l], sv_greater(sv_greater(a[l], b[l]), sv_greater(c[l], d[l])));
        double least = most - SV_TIE;
        int64_t found = sv_pick(c[l], least, of_c[l], sv_pick(b[l], least, of_b[l], of_a[l]));
        found = sv_pick(d[l], least, of_d[l], found);
        choice[l] = sv_pick(own[l], least, row + sv_lane[l], found);
        best[l] = most;
    }
}

SV_INLINE void NAME(choose_of_6)(ROW row, IN own, OUT best, TO choice, IN a, IN b, IN c, IN d, IN e, IN f, FROM of_a,
                                 FROM of_b, FROM of_c, FROM of_d, FROM of_e, FROM of_f)
{
    EACH_LANE {
        double most = sv_greater(sv_greater(sv_greater(a[l], b[l]), sv_greater(c[l], d[l])), sv_greater(e[l], f[l]));
        double highest = sv_greater(own[l], most), least = highest - SV_TIE;
        int64_t found = sv_pick(c[l], least, of_c[l], sv_pick(b[l], least, of_b[l], of_a[l]));
        found = sv_pick(e[l], least, of_e[l], sv_pick(d[l], least, of_d[l], found));
        found = sv_pick(f[l], least, of_f[l], found);
        choice[l] = sv_pick(own[l], least, row + sv_lane[l], found);
        best[l] = highest;
    }
}

/* The holds of k dice; own: the value of each just so. */
#define BEST(i) (best + s->below[i])
#define CHOICE(i) (choice + s->below[i])
#define HOLD s->hold, own + s->hold, best + s->hold, choice + s->hold
SV_INLINE void NAME(choose_size)(const sv_lattice *t, int k, const double *own, double *best, int64_t *choice)
{
    EACH_STEP(k, 1)
        NAME(choose_of_1)(HOLD, BEST(0), CHOICE(0));
    EACH_STEP(k, 2)
        NAME(choose_of_2)(HOLD, BEST(0), BEST(1), CHOICE(0), CHOICE(1));
    EACH_STEP(k, 3)
        NAME(choose_of_3)(HOLD, BEST(0), BEST(1), BEST(2), CHOICE(0), CHOICE(1), CHOICE(2));
    EACH_STEP(k, 4)
        NAME(choose_of_4)(HOLD, BEST(0), BEST(1), BEST(2), BEST(3), CHOICE(0), CHOICE(1), CHOICE(2), CHOICE(3));
    for (int d = 5; d <= SV_FACES; d++) /* with five faces, the last stands in for a sixth */
        EACH_STEP(k, d)
            NAME(choose_of_6)(HOLD, BEST(0), BEST(1), BEST(2), BEST(3), BEST(4), BEST(d - 1), CHOICE(0), CHOICE(1),
                              CHOICE(2), CHOICE(3), CHOICE(4), CHOICE(d - 1));
}

/* What optimal play holds of each roll of `dice` dice, and of each hold. x: the values of holds; roll: of leaving the
 * rolls as they are; best: the greatest value within each. */
SV_INLINE void NAME(choose_holds)(const sv_lattice *t, int dice, const double *x, const double *roll, double *best,
                                  int64_t *choice)
{
    EACH_LANE {
        best[l] = x[l];
        choice[l] = l;
    }
    for (int k = 1; k < dice; k++)
        NAME(choose_size)(t, k, x, best, choice);
    NAME(choose_size)(t, dice, roll, best, choice);
}

/* The mass of `rows` rows goes where the choice says. */
SV_INLINE void NAME(send)(size_t rows, const double *mass, const int64_t *choice, double *to)
{
    for (size_t r = 0; r < rows; r++, mass += SV_LANES, choice += SV_LANES)
        SV_UNROLL
        EACH_LANE
            to[choice[l]] += mass[l];
}

/* The same, where the mass of a row is the same for all lanes. */
SV_INLINE void NAME(send_alike)(size_t rows, const double *mass, const int64_t *choice, double *to)
{
    for (size_t r = 0; r < rows; r++, choice += SV_LANES)
        SV_UNROLL
        EACH_LANE
            to[choice[l]] += mass[r];
}

SV_INLINE void NAME(sixth_of_1)(int add, OUT out, IN a)
{
    EACH_LANE
        out[l] = (add ? out[l] : 0) + a[l] * (1.0 / SV_FACES);
}

SV_INLINE void NAME(sixth_of_2)(int add, OUT out, IN a, IN b)
{
    EACH_LANE
        out[l] = (add ? out[l] : 0) + (a[l] + b[l]) * (1.0 / SV_FACES);
}

SV_INLINE void NAME(sixth_of_3)(int add, OUT out, IN a, IN b, IN c)
{
    EACH_LANE
        out[l] = (add ? out[l] : 0) + (a[l] + b[l] + c[l]) * (1.0 / SV_FACES);
}

/* One die more is thrown: mass at holds of k - 1 dice becomes mass at holds of k, added to what is there or not. */
SV_INLINE void NAME(throw_one)(const sv_lattice *t, int k, int add, const double *q, double *to)
{
    EACH_STEP(k, 1)
        NAME(sixth_of_1)(add, to + s->hold, q + s->below[0]);
    EACH_STEP(k, 2)
        NAME(sixth_of_2)(add, to + s->hold, q + s->below[0], q + s->below[1]);
    for (int d = 3; d <= SV_FACES; d++)
        EACH_STEP(k, d) {
            NAME(sixth_of_3)(add, to + s->hold, q + s->below[0], q + s->below[1], q + s->below[2]);
            for (int i = 3; i < d; i++)
                NAME(sixth_of_1)(1, to + s->hold, q + s->below[i]);
        }
}

/* The dice not held are thrown: mass at holds becomes mass at rolls of `dice` dice, in the rows of `to`. */
SV_INLINE void NAME(throw_up)(const sv_lattice *t, int dice, double *q, double *to)
{
    for (int k = 1; k < dice; k++)
        NAME(throw_one)(t, k, 1, q, q);
    if (to == q)
        NAME(throw_one)(t, dice, 1, q, q);
    else
        NAME(throw_one)(t, dice, 0, q, to);
}

/* Dice set aside stay so: the mass at each hold is thrown, and held anew, on the lattice of the dice not held. It goes
 * to holds with more dice, or back: the largest come first. `value`: of holds; x, best, mass, choice: room for a
 * lattice. */
SV_INLINE void NAME(throw_and_hold_locked)(const sv_lattice *t, const double *value, double *q, double *x, double *best,
                                           double *mass, int64_t *choice)
{
    for (int k = t->dice - 1; k >= 0; k--) {
        int thrown = t->dice - k;
        size_t below = (size_t)t->first[thrown], all = (size_t)t->first[thrown + 1];
        for (int h = t->first[k]; h < t->first[k + 1]; h++) {
            const uint16_t *sum = t->sums + t->sum_first[h];
            double *held = q + sv_lines((size_t)h);
            if (sv_is_empty(held))
                continue;
            memset(mass, 0, sv_lines(all) * sizeof *mass);
            memcpy(mass, held, SV_LANES * sizeof *mass);
            memset(held, 0, SV_LANES * sizeof *held);
            NAME(throw_up)(t, thrown, mass, mass);
            for (size_t d = 0; d < all; d++)
                memcpy(x + sv_lines(d), value + sum[d], LANES * sizeof *x);
            NAME(choose_holds)(t, thrown, x, x, best, choice);
            for (size_t i = sv_lines(below); i < sv_lines(all); i += SV_LANES)
                EACH_LANE
                    q[sum[choice[i + l] / SV_LANES] + l] += mass[i + l];
        }
    }
}

/* What is as good as the best is preferred to the choice so far. */
SV_INLINE void NAME(prefer)(ROW row, IN value, IN best, TO choice)
{
    EACH_LANE
        choice[l] = sv_pick(value[l], best[l] - SV_TIE, row + sv_lane[l], choice[l]);
}

SV_INLINE void NAME(prefer_terms)(const sv_terms *list, const double *outcomes, const double *best, int64_t *choice)
{
    for (const sv_term *p = list->terms, *end = p + list->n; p < end; p++)
        NAME(prefer)(p->outcome, outcomes + p->outcome, best + p->roll, choice + p->roll);
}

/* A roll with rules of its own: what makes points goes first, then what makes none. */
SV_INLINE void NAME(choose_special)(const sv_game *g, const sv_special *s, int served, const double *outcomes,
                                    int64_t *choice)
{
    const uint16_t *list = served ? s->served_outcomes : s->outcomes;
    int n = served ? s->n_served : s->n;
    size_t with_bonus = s->bonus > 0 ? sv_lines((size_t)g->outcomes) : 0;
    double best[LANES];

    memcpy(best, outcomes + sv_lines(list[0]), sizeof best);
    for (int i = 1; i < n; i++)
        EACH_LANE
            best[l] = sv_greater(best[l], outcomes[sv_lines(list[i]) + (size_t)l]);
    for (int scratch = 1; scratch >= 0; scratch--)
        for (int i = n - 1; i >= 0; i--)
            if ((g->points[list[i] % g->outcomes] == 0) == scratch)
                NAME(prefer)((int64_t)(with_bonus + sv_lines(list[i])), outcomes + sv_lines(list[i]), best,
                             choice + sv_lines(s->roll));
}

/* What each roll is written as, the best scratch standing for all of them; best: what it is worth written. What is
 * preferred comes last. */
SV_INLINE void NAME(choose_outcomes)(const sv_game *g, const sv_choices *c, int served, const double *outcomes,
                                     const double *best, int64_t *choice)
{
    for (int r = 0; r < g->lattice.holds - g->lattice.first[g->lattice.dice]; r++)
        memcpy(choice + sv_lines((size_t)r), sv_lane, sizeof sv_lane);
    for (int i = c->n - 1; i >= 0; i--) {
        if (!served || !c->strict)
            NAME(prefer_terms)(&c->scored[i], outcomes, best, choice);
        if (served)
            NAME(prefer_terms)(&c->served[i], outcomes, best, choice);
    }
    for (int i = 0; i < c->n_special; i++)
        NAME(choose_special)(g, &c->special[i], served, outcomes, choice);
    if (served)
        NAME(prefer_terms)(&c->win, outcomes, best, choice);
}

#undef EACH_LANE
#undef EACH_STEP
#undef IN
#undef OUT
#undef FROM
#undef TO
#undef ROW
#undef BEST
#undef CHOICE
#undef HOLD
