/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef GCM_GHASH_HOLES_H
#define GCM_GHASH_HOLES_H

/* GHASH in constant time from 64-bit integer multiplications (constant time
 * where the processor's are).  Carryless product of words with holes: with
 * only every fourth bit set, at most 16 ones meet in a column, and carries die
 * in the three zeros above it (the column that can reach 16 is the last, whose
 * carry falls out).  The high half is the low half of the reversed words'
 * product.  Pornin, "BearSSL: constant-time GHASH" (2016-2018), the method.
 * Blocks are byte-reversed and H multiplied by x as in RFC 8452, appendix A
 * (see ghash_clmul.h), so that the reduction needs no shift of the product. */

#include "bytes.h"

typedef struct {
    uint64_t h0, h1, r0, r1; /* the halves of H x, low first; and bit-reversed */
} ghash_key;

/* Low 64 bits of the carryless product. */
static inline uint64_t ghash_multiply_low(uint64_t x, uint64_t y)
{
    const uint64_t m = 0x1111111111111111;
    uint64_t x0 = x & m, x1 = x & m << 1, x2 = x & m << 2, x3 = x & m << 3;
    uint64_t y0 = y & m, y1 = y & m << 1, y2 = y & m << 2, y3 = y & m << 3;
    uint64_t z0 = x0 * y0 ^ x1 * y3 ^ x2 * y2 ^ x3 * y1;
    uint64_t z1 = x0 * y1 ^ x1 * y0 ^ x2 * y3 ^ x3 * y2;
    uint64_t z2 = x0 * y2 ^ x1 * y1 ^ x2 * y0 ^ x3 * y3;
    uint64_t z3 = x0 * y3 ^ x1 * y2 ^ x2 * y1 ^ x3 * y0;
    return (z0 & m) | (z1 & m << 1) | (z2 & m << 2) | (z3 & m << 3);
}

static inline uint64_t ghash_reverse_bits(uint64_t x)
{
    x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
    x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
    return __builtin_bswap64(x);
}

/* H x from H: shift by one bit, fold what falls out. */
static inline void ghash_subkey(uint64_t *H, const uint8_t *block)
{
    uint64_t h1 = load_be64(block), h0 = load_be64(block + 8);
    uint64_t carry = (uint64_t)0 - (h1 >> 63);
    H[1] = (h1 << 1 | h0 >> 63) ^ (carry & 0xc200000000000000);
    H[0] = h0 << 1 ^ (carry & 1);
}

static inline ghash_key ghash_start(const uint64_t *H)
{
    return (ghash_key){H[0], H[1], ghash_reverse_bits(H[0]), ghash_reverse_bits(H[1])};
}

/* y = (y ^ block) H, y low half first.  Karatsuba in both directions. */
static inline void ghash_block(uint64_t *y, const uint8_t *block, const ghash_key *k)
{
    uint64_t a1 = y[1] ^ load_be64(block), a0 = y[0] ^ load_be64(block + 8);
    uint64_t b0 = ghash_reverse_bits(a0), b1 = ghash_reverse_bits(a1);
    uint64_t lo = ghash_multiply_low(a0, k->h0), hi = ghash_multiply_low(a1, k->h1);
    uint64_t mid = ghash_multiply_low(a0 ^ a1, k->h0 ^ k->h1) ^ lo ^ hi;
    uint64_t rlo = ghash_multiply_low(b0, k->r0), rhi = ghash_multiply_low(b1, k->r1);
    uint64_t rmid = ghash_multiply_low(b0 ^ b1, k->r0 ^ k->r1) ^ rlo ^ rhi;
    uint64_t w0 = lo, w1 = mid ^ ghash_reverse_bits(rlo) >> 1;
    uint64_t w2 = hi ^ ghash_reverse_bits(rmid) >> 1;
    uint64_t w3 = ghash_reverse_bits(rhi) >> 1;

    /* Add w0 and w1 times 1 + x^121 + x^126 + x^127 + x^128: they vanish. */
    w1 ^= w0 << 57 ^ w0 << 62 ^ w0 << 63;
    w2 ^= w0 ^ w0 >> 1 ^ w0 >> 2 ^ w0 >> 7;
    w2 ^= w1 << 57 ^ w1 << 62 ^ w1 << 63;
    w3 ^= w1 ^ w1 >> 1 ^ w1 >> 2 ^ w1 >> 7;
    y[0] = w2;
    y[1] = w3;
}

/* Data padded with zeros to whole blocks. */
static void ghash_data(uint64_t *y, const uint8_t *data, uint64_t length,
                       const ghash_key *k)
{
    for (; length >= 16; length -= 16, data += 16) ghash_block(y, data, k);
    if (length > 0) {
        uint8_t block[16] = {0};
        memcpy(block, data, length);
        ghash_block(y, block, k);
    }
}

#endif
