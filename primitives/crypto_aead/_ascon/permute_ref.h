/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ASCON_PERMUTE_REF_H
#define ASCON_PERMUTE_REF_H

/* The permutations Ascon-p[rounds] as NIST SP 800-232, section 3, writes them:
 * constant, substitution by a table (one column of five bits at a time), linear
 * diffusion.  The substitution is table 6; its index is a secret. */

#include <stdint.h>

#define ASCON_INLINE static inline

typedef struct {
    uint64_t x[5];
} ascon_state;

static uint64_t ascon_rotr(uint64_t x, unsigned n)
{
    return x >> n | x << (64 - n);
}

static void ascon_substitute(ascon_state *s)
{
    static const uint8_t sbox[32] = {
        0x04, 0x0b, 0x1f, 0x14, 0x1a, 0x15, 0x09, 0x02, 0x1b, 0x05, 0x08,
        0x12, 0x1d, 0x03, 0x06, 0x1c, 0x1e, 0x13, 0x07, 0x0e, 0x00, 0x0d,
        0x11, 0x18, 0x10, 0x0c, 0x01, 0x19, 0x16, 0x0a, 0x0f, 0x17,
    };
    ascon_state y = {{0}};
    for (int column = 0; column < 64; column++) {
        unsigned in = 0;
        for (int i = 0; i < 5; i++) in = in << 1 | (unsigned)(s->x[i] >> column & 1);
        for (int i = 0; i < 5; i++)
            y.x[i] |= (uint64_t)(sbox[in] >> (4 - i) & 1) << column;
    }
    *s = y;
}

static void ascon_permute(ascon_state *s, int rounds)
{
    static const uint8_t constant[12] = {0xf0, 0xe1, 0xd2, 0xc3, 0xb4, 0xa5,
                                         0x96, 0x87, 0x78, 0x69, 0x5a, 0x4b};
    static const uint8_t rotations[5][2] = {{19, 28}, {61, 39}, {1, 6}, {10, 17}, {7, 41}};
    for (int round = 12 - rounds; round < 12; round++) {
        s->x[2] ^= constant[round];
        ascon_substitute(s);
        for (int i = 0; i < 5; i++)
            s->x[i] ^= ascon_rotr(s->x[i], rotations[i][0]) ^ ascon_rotr(s->x[i], rotations[i][1]);
    }
}

#endif
