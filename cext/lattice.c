#include "lattice.h"

#include <string.h>

static int largest_face(const uint8_t *count)
{
    int f = SV_FACES - 1;
    while (f >= 0 && count[f] == 0)
        f--;
    return f;
}

/* Numbers the holds of size k + 1 by adding to each hold of size k a die not smaller than its largest; adding a
 * smaller die f to h = g + {m} leads to (g + {f}) + {m}, which this same pass has numbered before. */
static void grow(sv_lattice *t, int k)
{
    int next = t->first[k + 1];
    for (int h = t->first[k]; h < t->first[k + 1]; h++) {
        int m = largest_face(t->count[h]);
        for (int f = 0; f < SV_FACES; f++) {
            if (f >= m) {
                memcpy(t->count[next], t->count[h], SV_FACES);
                t->count[next][f]++;
                t->above[h][f] = (uint16_t)next++;
            } else {
                int g = 0;
                for (int i = 0; i < SV_FACES; i++)
                    for (int n = t->count[h][i] - (i == m); n > 0; n--)
                        g = t->above[g][i];
                t->above[h][f] = t->above[t->above[g][f]][m];
            }
        }
    }
    t->first[k + 2] = next;
}

static int find(const sv_lattice *t, const uint8_t *count)
{
    int h = 0;
    for (int f = 0; f < SV_FACES; f++)
        for (int n = count[f]; n > 0; n--)
            h = t->above[h][f];
    return h;
}

static void list_steps(sv_lattice *t, int k)
{
    int n = t->first[k];
    for (int d = 0; d <= SV_FACES; d++) {
        t->step_first[k][d] = n;
        for (int h = t->first[k]; h < t->first[k + 1]; h++) {
            uint8_t count[SV_FACES];
            int distinct = 0;
            for (int f = 0; f < SV_FACES; f++)
                distinct += t->count[h][f] > 0;
            if (distinct != d)
                continue;
            sv_step *s = &t->steps[n++];
            s->hold = (uint16_t)(h * SV_LANES);
            memcpy(count, t->count[h], SV_FACES);
            for (int f = 0, i = 0; f < SV_FACES; f++) {
                if (count[f] == 0)
                    continue;
                count[f]--;
                s->below[i++] = (uint16_t)(find(t, count) * SV_LANES);
                count[f]++;
            }
        }
    }
    t->step_first[k][SV_FACES + 1] = n;
}

static void list_sums(sv_lattice *t)
{
    int n = 0;
    for (int k = 0; k <= t->dice; k++) {
        for (int h = t->first[k]; h < t->first[k + 1]; h++) {
            t->sum_first[h] = n;
            for (int d = 0; d < t->first[t->dice - k + 1]; d++) {
                int s = h;
                for (int f = 0; f < SV_FACES; f++)
                    for (int c = t->count[d][f]; c > 0; c--)
                        s = t->above[s][f];
                t->sums[n++] = (uint16_t)(s * SV_LANES);
            }
        }
    }
}

void sv_lattice_init(sv_lattice *t, int dice)
{
    static const double factorial[] = {1, 1, 2, 6, 24, 120, 720};

    memset(t, 0, sizeof *t);
    t->dice = dice;
    t->first[1] = 1;
    for (int k = 0; k < dice; k++)
        grow(t, k);
    t->holds = t->first[dice + 1];
    for (int h = 0; h < t->first[dice]; h++)
        for (int f = 0; f < SV_FACES; f++)
            t->up[h][f] = (uint16_t)(t->above[h][f] * SV_LANES);
    for (int k = 0; k <= dice; k++)
        list_steps(t, k);
    list_sums(t);

    double rolls = 1;
    for (int i = 0; i < dice; i++)
        rolls *= SV_FACES;
    for (int h = t->first[dice]; h < t->holds; h++) {
        double ways = factorial[dice];
        for (int f = 0; f < SV_FACES; f++)
            ways /= factorial[t->count[h][f]];
        t->chance[h - t->first[dice]] = ways / rolls;
    }
    for (int i = t->first[dice]; i < t->holds; i++)
        t->step_chance[i] = t->chance[t->steps[i].hold / SV_LANES - t->first[dice]];
}
