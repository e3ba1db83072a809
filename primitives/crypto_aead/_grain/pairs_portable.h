/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef GRAIN_PAIRS_PORTABLE_H
#define GRAIN_PAIRS_PORTABLE_H

/* The two functions of aead.h in plain C. */

/* Even bits to the low half, odd bits to the high half: each step swaps the
 * middle two quarters of pieces twice as long. */
GRAIN_INLINE uint64_t grain_unshuffle(uint64_t x)
{
    uint64_t t = (x ^ x >> 1) & 0x2222222222222222;
    x ^= t ^ t << 1;
    t = (x ^ x >> 2) & 0x0c0c0c0c0c0c0c0c;
    x ^= t ^ t << 2;
    t = (x ^ x >> 4) & 0x00f000f000f000f0;
    x ^= t ^ t << 4;
    t = (x ^ x >> 8) & 0x0000ff000000ff00;
    x ^= t ^ t << 8;
    t = (x ^ x >> 16) & 0x00000000ffff0000;
    return x ^ t ^ t << 16;
}

GRAIN_INLINE void grain_unzip(uint64_t *even, uint64_t *odd, uint64_t y0, uint64_t y1)
{
    y0 = grain_unshuffle(y0);
    y1 = grain_unshuffle(y1);
    *even = (y0 & 0xffffffff) | y1 << 32;
    *odd = y0 >> 32 | (y1 & 0xffffffff00000000);
}

/* Schoolbook: for bit 63 - i of m, bits i .. i + 63 of (lo, hi) */
GRAIN_INLINE uint64_t grain_product(uint64_t m, uint64_t lo, uint64_t hi)
{
    uint64_t sum = 0;
    for (int i = 0; i < 64; i++, m <<= 1) {
        sum ^= lo & ((uint64_t)0 - (m >> 63));
        lo = lo >> 1 | hi << 63;
        hi >>= 1;
    }
    return sum;
}

#endif
