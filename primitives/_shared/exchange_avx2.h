/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef EXCHANGE_AVX2_H
#define EXCHANGE_AVX2_H

/* Between two vectors, as the small layers of number-theoretic transforms want them: pieces of so
 * many bits are exchanged, each odd one of x with the even one of y before it.  Each is its own
 * inverse. */

#include <immintrin.h>

static inline void exchange_128(__m256i *x, __m256i *y)
{
    const __m256i t = _mm256_permute2x128_si256(*x, *y, 0x20);

    *y = _mm256_permute2x128_si256(*x, *y, 0x31);
    *x = t;
}

static inline void exchange_64(__m256i *x, __m256i *y)
{
    const __m256i t = _mm256_unpacklo_epi64(*x, *y);

    *y = _mm256_unpackhi_epi64(*x, *y);
    *x = t;
}

static inline void exchange_32(__m256i *x, __m256i *y)
{
    const __m256i t = _mm256_blend_epi32(*x, _mm256_slli_epi64(*y, 32), 0xaa);

    *y = _mm256_blend_epi32(_mm256_srli_epi64(*x, 32), *y, 0xaa);
    *x = t;
}

static inline void exchange_16(__m256i *x, __m256i *y)
{
    const __m256i t = _mm256_blend_epi16(*x, _mm256_slli_epi32(*y, 16), 0xaa);

    *y = _mm256_blend_epi16(_mm256_srli_epi32(*x, 16), *y, 0xaa);
    *x = t;
}

#endif
