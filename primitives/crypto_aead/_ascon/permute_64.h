/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ASCON_PERMUTE_64_H
#define ASCON_PERMUTE_64_H

/* The permutations Ascon-p[rounds] on 64-bit words, all columns at once: the
 * substitution is that of NIST SP 800-232, section 3.3, an affine layer around
 * the chi of Keccak. */

#include <stdint.h>

#define ASCON_INLINE static inline __attribute__((always_inline))

typedef struct {
    uint64_t x[5];
} ascon_state;

#define ASCON_ROTR(x, n) ((x) >> (n) | (x) << (64 - (n)))

ASCON_INLINE void ascon_round(ascon_state *s, uint64_t constant)
{
    uint64_t x0 = s->x[0] ^ s->x[4], x1 = s->x[1], x3 = s->x[3];
    uint64_t x2 = s->x[2] ^ constant ^ x1, x4 = s->x[4] ^ x3;
    uint64_t y0 = x0 ^ (~x1 & x2), y1 = x1 ^ (~x2 & x3), y2 = x2 ^ (~x3 & x4);
    uint64_t y3 = x3 ^ (~x4 & x0), y4 = x4 ^ (~x0 & x1);

    y1 ^= y0;
    y3 ^= y2;
    y0 ^= y4;
    y2 = ~y2;
    s->x[0] = y0 ^ ASCON_ROTR(y0, 19) ^ ASCON_ROTR(y0, 28);
    s->x[1] = y1 ^ ASCON_ROTR(y1, 61) ^ ASCON_ROTR(y1, 39);
    s->x[2] = y2 ^ ASCON_ROTR(y2, 1) ^ ASCON_ROTR(y2, 6);
    s->x[3] = y3 ^ ASCON_ROTR(y3, 10) ^ ASCON_ROTR(y3, 17);
    s->x[4] = y4 ^ ASCON_ROTR(y4, 7) ^ ASCON_ROTR(y4, 41);
}

ASCON_INLINE void ascon_permute(ascon_state *s, int rounds)
{
    ascon_state t = *s;
    if (rounds == 12) {
        ascon_round(&t, 0xf0);
        ascon_round(&t, 0xe1);
        ascon_round(&t, 0xd2);
        ascon_round(&t, 0xc3);
    }
    ascon_round(&t, 0xb4);
    ascon_round(&t, 0xa5);
    ascon_round(&t, 0x96);
    ascon_round(&t, 0x87);
    ascon_round(&t, 0x78);
    ascon_round(&t, 0x69);
    ascon_round(&t, 0x5a);
    ascon_round(&t, 0x4b);
    *s = t;
}

#endif
