/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef GCM_GHASH_HOLES_H
#define GCM_GHASH_HOLES_H

/* GHASH in constant time from integer multiplications (constant time where the
 * processor's are).  Carryless product of words with holes: with only every
 * fourth bit set, at most 15 ones meet in a column of the product, and carries
 * die in the three zeros above it.  Pornin, "BearSSL: constant-time GHASH"
 * (2016-2018), the method.  Blocks are byte-reversed and H multiplied by x as
 * in RFC 8452, appendix A (see ghash_clmul.h), so that the reduction needs no
 * shift of the product. */

#include "bytes.h"

#ifdef __SIZEOF_INT128__

/* 128-bit products.  Sixteen ones could meet in the middle column, so the top
 * four bits of x are kept out of it and added by shifts. */
static inline void ghash_multiply(uint64_t *lo, uint64_t *hi, uint64_t x, uint64_t y)
{
    const unsigned __int128 m = (unsigned __int128)0x1111111111111111 << 64 |
                                0x1111111111111111;
    const uint64_t m64 = 0x1111111111111111, low60 = 0x0111111111111111;
    unsigned __int128 x0 = x & low60, x1 = x & low60 << 1;
    unsigned __int128 x2 = x & low60 << 2, x3 = x & low60 << 3;
    uint64_t y0 = y & m64, y1 = y & m64 << 1, y2 = y & m64 << 2, y3 = y & m64 << 3;
    unsigned __int128 z0 = x0 * y0 ^ x1 * y3 ^ x2 * y2 ^ x3 * y1;
    unsigned __int128 z1 = x0 * y1 ^ x1 * y0 ^ x2 * y3 ^ x3 * y2;
    unsigned __int128 z2 = x0 * y2 ^ x1 * y1 ^ x2 * y0 ^ x3 * y3;
    unsigned __int128 z3 = x0 * y3 ^ x1 * y2 ^ x2 * y1 ^ x3 * y0;
    z0 = (z0 & m) | (z1 & m << 1) | (z2 & m << 2) | (z3 & m << 3);
    *lo = (uint64_t)z0;
    *hi = (uint64_t)(z0 >> 64);
    for (int i = 60; i < 64; i++) {
        uint64_t bit = (uint64_t)0 - (x >> i & 1);
        *lo ^= y << i & bit;
        *hi ^= y >> (64 - i) & bit;
    }
}

#else

/* Low 64 bits of the carryless product.  The one column in which 16 ones can
 * meet is the last, and its carry falls out. */
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

/* The high half is the low half of the reversed words' product, reversed. */
static inline void ghash_multiply(uint64_t *lo, uint64_t *hi, uint64_t x, uint64_t y)
{
    *lo = ghash_multiply_low(x, y);
    *hi = ghash_multiply_low(ghash_reverse_bits(x), ghash_reverse_bits(y));
    *hi = ghash_reverse_bits(*hi) >> 1;
}

#endif

/* H x from H: shift by one bit, fold what falls out. */
static inline void ghash_subkey(uint64_t *H, const uint8_t *block)
{
    uint64_t h1 = load_be64(block), h0 = load_be64(block + 8);
    uint64_t carry = (uint64_t)0 - (h1 >> 63);
    H[1] = (h1 << 1 | h0 >> 63) ^ (carry & 0xc200000000000000);
    H[0] = h0 << 1 ^ (carry & 1);
}

/* y = (y ^ block) H, low halves first.  Karatsuba. */
static inline void ghash_block(uint64_t *y, const uint8_t *block, const uint64_t *H)
{
    uint64_t a1 = y[1] ^ load_be64(block), a0 = y[0] ^ load_be64(block + 8);
    uint64_t w0, w1, w2, w3, mid0, mid1;
    ghash_multiply(&w0, &w1, a0, H[0]);
    ghash_multiply(&w2, &w3, a1, H[1]);
    ghash_multiply(&mid0, &mid1, a0 ^ a1, H[0] ^ H[1]);
    mid0 ^= w0 ^ w2;
    mid1 ^= w1 ^ w3;
    w1 ^= mid0;
    w2 ^= mid1;

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
                       const uint64_t *H)
{
    for (; length >= 16; length -= 16, data += 16) ghash_block(y, data, H);
    if (length > 0) {
        uint8_t block[16] = {0};
        memcpy(block, data, length);
        ghash_block(y, block, H);
    }
}

#endif
