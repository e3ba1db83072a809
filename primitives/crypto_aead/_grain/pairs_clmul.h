/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef GRAIN_PAIRS_CLMUL_H
#define GRAIN_PAIRS_CLMUL_H

/* The two functions of aead.h with pext and pclmulqdq. */

#include <immintrin.h>

GRAIN_INLINE void grain_unzip(uint64_t *even, uint64_t *odd, uint64_t y0, uint64_t y1)
{
    const uint64_t evens = 0x5555555555555555;
    *even = _pext_u64(y0, evens) | _pext_u64(y1, evens) << 32;
    *odd = _pext_u64(y0, ~evens) | _pext_u64(y1, ~evens) << 32;
}

GRAIN_INLINE uint64_t grain_product(uint64_t m, uint64_t lo, uint64_t hi)
{
    const __m128i x = _mm_cvtsi64_si128((long long)m);
    const __m128i y = _mm_set_epi64x((long long)hi, (long long)lo);
    const __m128i p = _mm_clmulepi64_si128(x, y, 0x00), q = _mm_clmulepi64_si128(x, y, 0x10);
    const uint64_t p0 = (uint64_t)_mm_cvtsi128_si64(p);
    const uint64_t p1 = (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(p, p));
    return (p0 >> 63 | p1 << 1) ^ (uint64_t)_mm_cvtsi128_si64(q) << 1;
}

#endif
