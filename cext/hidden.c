#include "hidden.h"

#include <stdlib.h>
#include <string.h>

#define MOST_WAYS 64  /* in a profile; of a whole deck, 21 is the most there is */
#define RUN 3         /* the block of a suit is a run, or hangs on one: more cards of it are free */
#define SLOTS (1 << 16)

/* One way to use the cards so far: the length of each suit's block (two bits a suit), the deadwood that is settled. */
typedef struct {
    uint8_t blocks, deadwood;
} way;

typedef struct {
    int ways;
    way way[MOST_WAYS];
    int32_t row[SV_MOST_CARDS + 1];  /* by cards held: the number of a row of counts, or -1 */
} profile;

typedef struct {
    profile *profiles;
    uint64_t *rows;  /* SV_DEADWOODS counts each */
    int32_t n, room, used, rows_room;
    int32_t slot[SLOTS];  /* numbers of profiles by hash, -1 where there is none */
} layer;

/* What one rank offers. */
typedef struct {
    int rank;
    unsigned free, held, fourth, runs;  /* suits: of unseen cards, of cards held, to lay off on a set, in runs laid */
    unsigned next, after;               /* suits whose block can go on one rank up, and two */
    unsigned anchored;                  /* suits where a run laid begins one rank up */
} rank_case;

SV_INLINE unsigned suits_at(sv_cards cards, int rank) {
    if (rank > 12)
        return 0;
    cards >>= rank;
    return (unsigned)(cards & 1) | (unsigned)(cards >> 12 & 2) | (unsigned)(cards >> 24 & 4) | (unsigned)(cards >> 36 & 8);
}

SV_INLINE int value_of(int rank) { return rank < 0 ? 0 : rank < 9 ? rank + 1 : 10; }

/* The points of a block of one or two cards that ends at `rank`. */
SV_INLINE int pending(int length, int rank) {
    return length == 1 ? value_of(rank) : length == 2 ? value_of(rank) + value_of(rank - 1) : 0;
}

/* Whether a block may still gain from what comes: a block that cannot is settled at once. */
SV_INLINE int open_block(const rank_case *c, int length, unsigned suit) {
    if (!(c->next & suit))
        return 0;
    return length != 1 || (c->after & suit) != 0 || (c->anchored & suit) != 0;
}

/* The way after a rank of which `kept` are cards in no set and not laid off on one. */
static way step(way from, const rank_case *c, unsigned kept) {
    way to = {0, from.deadwood};
    for (int s = 0; s < 4; s++) {
        unsigned suit = 1u << s, length = from.blocks >> 2 * s & 3, more = length;
        if (c->runs & suit) {
            more = RUN;
        } else if (kept & suit) {
            more = length < RUN ? length + 1 : RUN;
        } else {
            to.deadwood += (uint8_t)pending((int)length, c->rank - 1);
            more = 0;
        }
        if (more != 0 && !open_block(c, (int)more, suit)) {
            to.deadwood += (uint8_t)pending((int)more, c->rank);
            more = 0;
        }
        to.blocks |= (uint8_t)(more << 2 * s);
    }
    return to;
}

/* The most that a block of length `b` can come to gain, in this suit, over one of length `a`. */
static int most_gain(int a, int b, int rank) {
    int most = 0, more = 0;  /* none where the block meets a run laid: both are free then */
    for (int k = 0; k < 3; k++) {
        int of_a = a == RUN || a + k >= 3 ? 0 : pending(a, rank) + more;
        int of_b = b == RUN || b + k >= 3 ? 0 : pending(b, rank) + more;
        most = of_a - of_b > most ? of_a - of_b : most;
        more += value_of(rank + k + 1);
    }
    return most;
}

/* gains[a][b]: the most that blocks b can come to gain over blocks a. */
typedef uint8_t gain_table[256][256];

static void fill_gains(gain_table gains, int rank) {
    int one[4][4];
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            one[a][b] = most_gain(a, b, rank);
    for (int a = 0; a < 256; a++)
        for (int b = 0; b < 256; b++)
            gains[a][b] = (uint8_t)(one[a & 3][b & 3] + one[a >> 2 & 3][b >> 2 & 3] + one[a >> 4 & 3][b >> 4 & 3]
                                    + one[a >> 6][b >> 6]);
}

/* Adds a way unless another is never worse; drops those that it is never worse than. Ways stay in order of blocks.
 * Returns -1 where there are too many. */
static int add_way(profile *p, way w, gain_table gains) {
    int kept = 0;
    for (int i = 0; i < p->ways; i++)
        if (p->way[i].deadwood + gains[p->way[i].blocks][w.blocks] <= w.deadwood)
            return 0;
    for (int i = 0; i < p->ways; i++)
        if (w.deadwood + gains[w.blocks][p->way[i].blocks] > p->way[i].deadwood)
            p->way[kept++] = p->way[i];
    p->ways = kept;
    if (kept == MOST_WAYS)
        return -1;
    for (; kept > 0 && p->way[kept - 1].blocks > w.blocks; kept--)
        p->way[kept] = p->way[kept - 1];
    p->way[kept] = w;
    p->ways++;
    return 0;
}

/* Every choice of what leaves the blocks: nothing, a set, or a card laid off on a set; as the suits that stay. */
static int choices_of(unsigned suits, unsigned fourth, unsigned *stay) {
    int n = 1;
    stay[0] = suits;
    if (suits & fourth)
        stay[n++] = suits & ~fourth;
    if (suits == 7 || suits == 11 || suits == 13 || suits == 14 || suits == 15)
        stay[n++] = 0;
    for (int s = 0; s < 4 && suits == 15; s++)
        stay[n++] = 1u << s;
    return n;
}

/* The profile after a rank, its least deadwood taken off and returned; -1 where there are too many ways. */
static int next_profile(const profile *from, const rank_case *c, unsigned suits, gain_table gains, profile *to) {
    unsigned stay[6];
    int n = choices_of(suits, c->fourth, stay), least = 255;
    to->ways = 0;
    for (int i = 0; i < from->ways; i++)
        for (int k = 0; k < n; k++)
            if (add_way(to, step(from->way[i], c, stay[k]), gains) < 0)
                return -1;
    for (int i = 0; i < to->ways; i++)
        least = to->way[i].deadwood < least ? to->way[i].deadwood : least;
    for (int i = 0; i < to->ways; i++)
        to->way[i].deadwood = (uint8_t)(to->way[i].deadwood - least);
    return least;
}

static void *grown(void *memory, int32_t *room, size_t size) {
    *room = *room == 0 ? 256 : *room * 2;
    return realloc(memory, (size_t)*room * size);
}

/* The number of a profile in a layer, which it joins if it is new; -1 where memory runs out. */
static int32_t number_of(layer *l, const profile *p) {
    uint32_t hash = 2166136261u;
    for (int i = 0; i < p->ways; i++)
        hash = ((hash ^ p->way[i].blocks) * 16777619u ^ p->way[i].deadwood) * 16777619u;
    for (uint32_t at = (hash ^ hash >> 15) % SLOTS;; at = (at + 1) % SLOTS) {
        int32_t i = l->slot[at];
        if (i < 0) {
            if (l->n == SLOTS / 2)
                return -1;
            if (l->n == l->room) {
                profile *more = grown(l->profiles, &l->room, sizeof *l->profiles);
                if (more == NULL)
                    return -1;
                l->profiles = more;
            }
            l->profiles[l->n] = *p;
            memset(l->profiles[l->n].row, -1, sizeof p->row);
            return l->slot[at] = l->n++;
        }
        if (l->profiles[i].ways == p->ways && memcmp(l->profiles[i].way, p->way, (size_t)p->ways * sizeof *p->way) == 0)
            return i;
    }
}

/* The row of counts of a profile for so many cards, all zero if it is new; NULL where memory runs out. */
static uint64_t *row_of(layer *l, int32_t number, int cards) {
    int32_t *row = &l->profiles[number].row[cards];
    if (*row < 0) {
        if (l->used == l->rows_room) {
            uint64_t *more = grown(l->rows, &l->rows_room, SV_DEADWOODS * sizeof *l->rows);
            if (more == NULL)
                return NULL;
            l->rows = more;
        }
        *row = l->used++;
        memset(l->rows + (size_t)*row * SV_DEADWOODS, 0, SV_DEADWOODS * sizeof *l->rows);
    }
    return l->rows + (size_t)*row * SV_DEADWOODS;
}

static void clear(layer *l) {
    l->n = l->used = 0;
    memset(l->slot, -1, sizeof l->slot);
}

static int count_bits(unsigned x) { return (int)((x & 1) + (x >> 1 & 1) + (x >> 2 & 1) + (x >> 3 & 1)); }

/* Moves all hands of a profile on by one rank of which they hold `suits`. `least`: fewer cards than that by now, and
 * the hand cannot be filled any more. */
static int move(const layer *from, layer *to, int32_t i, const rank_case *c, unsigned suits, int least, int most,
                gain_table gains) {
    profile next;
    int more = count_bits(suits), deadwood = next_profile(&from->profiles[i], c, suits, gains, &next);
    int32_t number = -1;
    if (deadwood < 0)
        return -1;
    for (int cards = 0; cards + more <= most; cards++) {
        if (from->profiles[i].row[cards] < 0 || cards + more < least)
            continue;
        if (number < 0 && (number = number_of(to, &next)) < 0)
            return -1;
        const uint64_t *source = from->rows + (size_t)from->profiles[i].row[cards] * SV_DEADWOODS;
        uint64_t *target = row_of(to, number, cards + more);
        if (target == NULL)
            return -1;
        for (int d = 0; d + deadwood < SV_DEADWOODS; d++)
            target[d + deadwood] += source[d];
    }
    return 0;
}

static rank_case case_of(sv_cards unseen, sv_cards held, sv_table table, int rank) {
    sv_cards can = unseen | held | table.runs;
    rank_case c = {.rank = rank};
    c.free = suits_at(unseen, rank), c.held = suits_at(held, rank);
    c.fourth = suits_at(table.fourth, rank), c.runs = suits_at(table.runs, rank);
    c.next = suits_at(can, rank + 1), c.after = suits_at(can, rank + 2);
    c.anchored = suits_at(table.runs, rank + 1);
    return c;
}

/* All ranks, from the empty hand. */
static int walk(sv_cards unseen, sv_cards held, int cards, sv_table table, layer *now, layer *next, gain_table gains,
                uint64_t *count) {
    int left = sv_count(unseen | held);
    profile empty = {.ways = 1};
    clear(now);
    int32_t start = number_of(now, &empty);
    uint64_t *row = start < 0 ? NULL : row_of(now, start, 0);
    if (row == NULL)
        return -1;
    row[0] = 1;
    for (int rank = 0; rank < 13; rank++) {
        rank_case c = case_of(unseen, held, table, rank);
        left -= count_bits(c.free | c.held);
        clear(next);
        fill_gains(gains, rank);
        for (int32_t i = 0; i < now->n; i++)
            for (unsigned suits = 0; suits < 16; suits++)
                if ((suits & ~(c.free | c.held)) == 0 && (c.held & ~suits) == 0
                    && move(now, next, i, &c, suits, cards - left, cards, gains) < 0)
                    return -1;
        layer swap = *now;
        *now = *next, *next = swap;
    }
    memset(count, 0, SV_DEADWOODS * sizeof *count);
    for (int32_t i = 0; i < now->n; i++)  /* one profile: nothing is open above the king */
        for (int d = 0; d < SV_DEADWOODS && now->profiles[i].row[cards] >= 0; d++)
            count[d] += now->rows[(size_t)now->profiles[i].row[cards] * SV_DEADWOODS + (size_t)d];
    return 0;
}

int sv_hidden(sv_cards unseen, sv_cards held, int cards, sv_table table, uint64_t *count) {
    layer *layers = calloc(2, sizeof *layers);
    gain_table *gains = malloc(sizeof *gains);
    int failed = layers == NULL || gains == NULL || walk(unseen, held, cards, table, layers, layers + 1, *gains, count);
    for (int i = 0; layers != NULL && i < 2; i++) {
        free(layers[i].profiles);
        free(layers[i].rows);
    }
    free(layers);
    free(gains);
    return failed ? -1 : 0;
}
