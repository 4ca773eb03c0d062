#include "mass.h"

#include <stdlib.h>
#include <string.h>

/* Lanes get whole PIECEs, cut from CHUNKs; what is freed goes on a list per size, to be used again while it is in the
 * cache. */
enum { PIECE = 4 * SV_LANES, CHUNK = 1 << 17, SIZES = CHUNK / PIECE };

typedef struct chunk {
    struct chunk *next;
    double room[CHUNK + SV_LANES];
} chunk;

typedef union piece {
    union piece *next;
    double chance[PIECE];
} piece;

struct sv_pool {
    chunk *chunks;
    double *fresh;          /* of the first chunk, what was never used */
    piece *freed[SIZES];
};

/* NULL when memory ran out. */
static double *take(struct sv_pool *pool, int doubles)
{
    piece *p = pool->freed[doubles / PIECE];
    if (p != NULL) {
        pool->freed[doubles / PIECE] = p->next;
        return p->chance;
    }
    if (pool->chunks == NULL || pool->chunks->room + CHUNK - pool->fresh < doubles) {
        chunk *c = malloc(sizeof *c);
        if (c == NULL)
            return NULL;
        c->next = pool->chunks;
        pool->chunks = c;
        pool->fresh = sv_aligned(c->room);
    }
    pool->fresh += doubles;
    return pool->fresh - doubles;
}

void sv_mass_release(sv_masses *mass, sv_span *s)
{
    piece *p = (piece *)s->chance, **freed = &mass->pool->freed[s->size / PIECE];
    if (p == NULL)
        return;
    p->next = *freed;
    *freed = p;
    s->chance = NULL;
}

int sv_masses_open(sv_masses *m, size_t rows)
{
    m->row = calloc(rows, sizeof *m->row);
    m->pool = calloc(1, sizeof *m->pool);
    m->rows = rows;
    return m->row == NULL || m->pool == NULL ? -1 : 0;
}

void sv_masses_close(sv_masses *m)
{
    for (size_t i = 0; m->row != NULL && i < m->rows; i++)
        free(m->row[i]);
    for (chunk *c = m->pool == NULL ? NULL : m->pool->chunks, *next; c != NULL; c = next) {
        next = c->next;
        free(c);
    }
    free(m->row);
    free(m->pool);
}

sv_span *sv_mass_row(const sv_game *g, sv_masses *mass, int64_t lower, int upper)
{
    sv_span **row = &mass->row[lower * g->uppers + upper];
    if (*row == NULL)
        *row = calloc((size_t)g->live[upper] + 1, sizeof **row);
    return *row;
}

/* A larger piece for a lane that is to reach from `begin` to `end`; -1 when memory ran out. */
static int enlarge(sv_masses *mass, sv_span *s, int begin, int end)
{
    sv_span larger = *s;

    larger.size = (end - begin + 2 * SV_LANES + PIECE - 1) / PIECE * PIECE;
    larger.base = begin - (larger.size - (end - begin)) / 2 / SV_LANES * SV_LANES;
    larger.chance = take(mass->pool, larger.size);
    if (larger.chance == NULL)
        return -1;
    if (s->chance != NULL)
        memcpy(larger.chance + s->begin - larger.base, s->chance + s->begin - s->base,
               (size_t)(s->end - s->begin) * sizeof *s->chance);
    sv_mass_release(mass, s);
    *s = larger;
    return 0;
}

int sv_mass_reserve(sv_masses *mass, sv_span *s, int begin, int end)
{
    if (s->chance == NULL)
        s->begin = s->end = begin;
    int least = begin < s->begin ? begin : s->begin, most = end > s->end ? end : s->end;

    if (s->chance == NULL || least < s->base || most > s->base + s->size)
        if (enlarge(mass, s, least, most) < 0)
            return -1;
    for (; s->begin > least; s->begin--)
        s->chance[s->begin - 1 - s->base] = 0;
    for (; s->end < most; s->end++)
        s->chance[s->end - s->base] = 0;
    return 0;
}
