/* Random dice that are numbered, not drawn one after the other, so that they do not depend on who throws first: every
 * throw of every game has a random number of its own. It is a word of what Philox4x32-10 (Salmon, Moraes, Dror, Shaw:
 * Parallel random numbers: as easy as 1, 2, 3; SC11) makes of the key `seed` and of a counter, the numbers of the game,
 * the turn and the throw.
 */
#ifndef SERVIDA_DICE_H
#define SERVIDA_DICE_H

#include "portable.h"

#include <stdint.h>

/* Whose dice: turns are counted by the boxes written before. */
typedef struct {
    uint64_t seed, game;
    uint32_t turn;
} sv_dice;

/* The random numbers of one turn, a block of four at a time; counter[3] is the number of the block. */
typedef struct {
    uint32_t key[2], counter[4], words[4];
} sv_stream;

SV_INLINE void sv_fill_block(sv_stream *s, uint32_t block)
{
    s->counter[3] = block;
    uint32_t k0 = s->key[0], k1 = s->key[1];
    uint32_t c0 = s->counter[0], c1 = s->counter[1], c2 = s->counter[2], c3 = block;

    for (int i = 0; i < 10; i++) {
        uint64_t a = (uint64_t)0xD2511F53 * c0, b = (uint64_t)0xCD9E8D57 * c2;
        c0 = (uint32_t)(b >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)b;
        c2 = (uint32_t)(a >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)a;
        k0 += 0x9E3779B9;
        k1 += 0xBB67AE85;
    }
    s->words[0] = c0;
    s->words[1] = c1;
    s->words[2] = c2;
    s->words[3] = c3;
}

SV_INLINE sv_stream sv_open_stream(const sv_dice *d)
{
    sv_stream s = {
        .key = {(uint32_t)d->seed, (uint32_t)(d->seed >> 32)},
        .counter = {(uint32_t)d->game, (uint32_t)(d->game >> 32), d->turn},
    };
    sv_fill_block(&s, 0);
    return s;
}

/* The turn's throw of that number (0: the first) of so many dice, as a number below 6 to their power whose digits are
 * the faces. The range of a word is no multiple of that power, so that, to favour none, some words are not used, as in
 * Lemire's method (Fast random integer generation in an interval, 2019), but the same one of a later block: it happens
 * in one of 1,600,000 throws at most. */
SV_INLINE uint32_t sv_throw(sv_stream *s, int number, int dice)
{
    static const uint32_t powers[] = {1, 6, 36, 216, 1296, 7776, 46656};
    enum { LATER = 256 };
    uint32_t power = powers[dice];

    for (uint32_t block = (uint32_t)number / 4;; block += LATER) {
        if (block != s->counter[3])
            sv_fill_block(s, block);
        uint64_t product = (uint64_t)s->words[number % 4] * power;
        if ((uint32_t)product >= power || (uint32_t)product >= (0 - power) % power)
            return (uint32_t)(product >> 32);
    }
}

#endif
