/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef KECCAK4_H
#define KECCAK4_H

/* Four sponges of keccak.h at once, side by side in vectors of four lanes, for four short inputs
 * of one length: SHAKE of seeds that differ in a number.  Needs AVX2 to be of use.
 *
 *   keccak4 s;
 *   keccak4_start(&s, rate, suffix, in, length);     length < rate
 *   keccak4_block(&s, rate, out);                    the next `rate` bytes of each, and so on */

#include "keccak.h"

typedef uint64_t keccak4_lane __attribute__((vector_size(32)));

typedef struct {
    keccak4_lane lane[25];
} keccak4;

static inline __attribute__((always_inline)) keccak4_lane keccak4_rotate(keccak4_lane x, unsigned n)
{
    return x << n | x >> (64 - n);
}

static inline __attribute__((always_inline)) void keccak4_round(keccak4_lane *a, uint64_t constant)
{
    keccak4_lane c[5], moved;

#pragma GCC unroll 5
    for (unsigned x = 0; x < 5; x++) c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
#pragma GCC unroll 5
    for (unsigned x = 0; x < 5; x++) {
        const keccak4_lane d = c[(x + 4) % 5] ^ keccak4_rotate(c[(x + 1) % 5], 1);
#pragma GCC unroll 5
        for (unsigned y = 0; y < 25; y += 5) a[x + y] ^= d;
    }
    moved = a[1];
#pragma GCC unroll 24
    for (unsigned i = 0; i < 24; i++) {
        const keccak4_lane next = a[keccak_lane[i]];
        a[keccak_lane[i]] = keccak4_rotate(moved, keccak_rotation[i]);
        moved = next;
    }
#pragma GCC unroll 5
    for (unsigned y = 0; y < 25; y += 5) {
        const keccak4_lane b[5] = {a[y], a[y + 1], a[y + 2], a[y + 3], a[y + 4]};
#pragma GCC unroll 5
        for (unsigned x = 0; x < 5; x++) a[y + x] = b[x] ^ (~b[(x + 1) % 5] & b[(x + 2) % 5]);
    }
    a[0] ^= constant;
}

static void keccak4_permute(keccak4 *s)
{
    keccak4_lane a[25];

    memcpy(a, s->lane, sizeof a);
    for (unsigned round = 0; round < 24; round++) keccak4_round(a, keccak_round[round]);
    memcpy(s->lane, a, sizeof a);
}

static inline void keccak4_start(keccak4 *s, uint64_t rate, uint8_t suffix, const uint8_t *const in[4],
                                 uint64_t length)
{
    uint8_t block[4][200] = {{0}};

    for (unsigned n = 0; n < 4; n++) {
        memcpy(block[n], in[n], length);
        block[n][length] = suffix;
        block[n][rate - 1] |= 0x80;
    }
    for (unsigned i = 0; i < 25; i++)
        for (unsigned n = 0; n < 4; n++) s->lane[i][n] = load_le64(block[n] + 8 * i);
}

static inline void keccak4_block(keccak4 *s, uint64_t rate, uint8_t *const out[4])
{
    keccak4_permute(s);
    for (uint64_t i = 0; i < rate / 8; i++)
        for (unsigned n = 0; n < 4; n++) store_le64(out[n] + 8 * i, s->lane[i][n]);
}

#endif
