/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CAST256_H
#define CAST256_H

/* CAST-256 as RFC 2612 writes it, on CAST256_N blocks at a time: word A, B, C, D
 * of each is an array.  Look-ups of one block wait for each other; those of
 * several do not. */

#include "crypto_blockcipher.h"

#include "bytes.h"
#include "sboxes.h"

#define CAST_INLINE static inline __attribute__((always_inline))
#if defined(__clang__)
#define CAST_UNROLL _Pragma("clang loop unroll(full)")
#else
#define CAST_UNROLL _Pragma("GCC unroll 8")
#endif

CAST_INLINE uint32_t cast_rotate(uint32_t x, unsigned n)
{
    return x << (n & 31) | x >> (-n & 31);
}

#define CAST_S(n, i) cast_sbox[(n) - 1][(i) >> (32 - 8 * (n)) & 255]

/* Section 2.1 */
CAST_INLINE uint32_t cast_f1(uint32_t d, unsigned kr, uint32_t km)
{
    const uint32_t i = cast_rotate(km + d, kr);
    return ((CAST_S(1, i) ^ CAST_S(2, i)) - CAST_S(3, i)) + CAST_S(4, i);
}

CAST_INLINE uint32_t cast_f2(uint32_t d, unsigned kr, uint32_t km)
{
    const uint32_t i = cast_rotate(km ^ d, kr);
    return ((CAST_S(1, i) - CAST_S(2, i)) + CAST_S(3, i)) ^ CAST_S(4, i);
}

CAST_INLINE uint32_t cast_f3(uint32_t d, unsigned kr, uint32_t km)
{
    const uint32_t i = cast_rotate(km - d, kr);
    return ((CAST_S(1, i) + CAST_S(2, i)) ^ CAST_S(3, i)) - CAST_S(4, i);
}

/* Sections 2.3 and 2.4: 24 forward octaves; the key schedule's constants run on. */
static void cast_octave(uint32_t k[8], uint32_t *cm, unsigned *cr)
{
    for (unsigned j = 0; j < 8; j++) {
        const unsigned to = (14 - j) % 8, from = (15 - j) % 8; /* g by h, f by g, ..., h by a */
        switch (j % 3) {
        case 0: k[to] ^= cast_f1(k[from], *cr, *cm); break;
        case 1: k[to] ^= cast_f2(k[from], *cr, *cm); break;
        default: k[to] ^= cast_f3(k[from], *cr, *cm); break;
        }
        *cm += 0x6ed9eba1;
        *cr = (*cr + 17) % 32;
    }
}

int crypto_blockcipher_expandkey(crypto_blockcipher_key *expanded, const uint8_t *key, uint64_t key_bytes)
{
    uint32_t k[8] = {0}, cm = 0x5a827999;
    unsigned cr = 19;
    if (key_bytes < 16 || key_bytes > 32 || key_bytes % 4 != 0) return -1;
    for (unsigned i = 0; i < key_bytes / 4; i++) k[i] = load_be32(key + 4 * i);
    for (int i = 0; i < 12; i++) {
        cast_octave(k, &cm, &cr);
        cast_octave(k, &cm, &cr);
        for (int j = 0; j < 4; j++) {
            expanded->kr[i][j] = (uint8_t)(k[2 * j] & 31);
            expanded->km[i][j] = k[7 - 2 * j];
        }
    }
    return 0;
}

typedef struct {
    uint32_t a, b, c, d;
} cast_block;

#define CAST_EACH(n) CAST_UNROLL for (int j = 0; j < (n); j++)

/* Section 2.2: a quad-round, and its inverse */
CAST_INLINE void cast_quad(cast_block *x, int n, const uint32_t *km, const uint8_t *kr)
{
    CAST_EACH(n) x[j].c ^= cast_f1(x[j].d, kr[0], km[0]);
    CAST_EACH(n) x[j].b ^= cast_f2(x[j].c, kr[1], km[1]);
    CAST_EACH(n) x[j].a ^= cast_f3(x[j].b, kr[2], km[2]);
    CAST_EACH(n) x[j].d ^= cast_f1(x[j].a, kr[3], km[3]);
}

CAST_INLINE void cast_quad_reverse(cast_block *x, int n, const uint32_t *km, const uint8_t *kr)
{
    CAST_EACH(n) x[j].d ^= cast_f1(x[j].a, kr[3], km[3]);
    CAST_EACH(n) x[j].a ^= cast_f3(x[j].b, kr[2], km[2]);
    CAST_EACH(n) x[j].b ^= cast_f2(x[j].c, kr[1], km[1]);
    CAST_EACH(n) x[j].c ^= cast_f1(x[j].d, kr[0], km[0]);
}

/* n blocks; decryption takes the key sets in reverse order. */
CAST_INLINE void cast_blocks(uint8_t *out, const uint8_t *in, int n, const crypto_blockcipher_key *k,
                             int decrypt)
{
    cast_block x[8];
    CAST_EACH(n)
    {
        const uint8_t *p = in + 16 * j;
        x[j] = (cast_block){load_be32(p), load_be32(p + 4), load_be32(p + 8), load_be32(p + 12)};
    }
    for (int i = 0; i < 12; i++) {
        const int set = decrypt ? 11 - i : i;
        if (i < 6) cast_quad(x, n, k->km[set], k->kr[set]);
        else cast_quad_reverse(x, n, k->km[set], k->kr[set]);
    }
    CAST_EACH(n)
    {
        uint8_t *p = out + 16 * j;
        store_be32(p, x[j].a);
        store_be32(p + 4, x[j].b);
        store_be32(p + 8, x[j].c);
        store_be32(p + 12, x[j].d);
    }
}

CAST_INLINE void cast_all(uint8_t *out, const uint8_t *in, uint64_t blocks,
                          const crypto_blockcipher_key *k, int decrypt)
{
    for (; blocks >= CAST256_N; blocks -= CAST256_N, in += 16 * CAST256_N, out += 16 * CAST256_N)
        cast_blocks(out, in, CAST256_N, k, decrypt);
    if (CAST256_N == 1) return;
    switch (blocks) {
    case 1: cast_blocks(out, in, 1, k, decrypt); break;
    case 2: cast_blocks(out, in, 2, k, decrypt); break;
    case 3: cast_blocks(out, in, 3, k, decrypt); break;
    default: break;
    }
}

void crypto_blockcipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
    cast_all(out, in, blocks, expanded, 0);
}

void crypto_blockcipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
    cast_all(out, in, blocks, expanded, 1);
}

#endif
