/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* vpermd looks up eight words among eight: eleven windows of three bits. */

#include "crypto_stream.h"

#include <immintrin.h>

#include "../../_abc/tables.h"

#define LANES 8

static inline void abc_lanes(uint8_t *out, const uint8_t *in, const uint32_t *x,
                             const uint32_t *z, const abc_tables *tables)
{
    const __m256i turn = _mm256_setr_epi8(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15,
                                          12, 13, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9,
                                          14, 15, 12, 13);
    __m256i v = _mm256_loadu_si256((const __m256i *)x), sum = _mm256_setzero_si256();
#pragma GCC unroll 11
    for (int w = 0; w < ABC_TABLES; w++) {
        __m256i t = _mm256_load_si256((const __m256i *)tables->t[w]);
        __m256i at = _mm256_srli_epi32(v, ABC_WINDOW * w);
        sum = _mm256_add_epi32(sum, _mm256_permutevar8x32_epi32(t, at));
    }
    sum = _mm256_add_epi32(_mm256_loadu_si256((const __m256i *)z),
                           _mm256_shuffle_epi8(sum, turn));
    sum = _mm256_xor_si256(sum, _mm256_loadu_si256((const __m256i *)in));
    _mm256_storeu_si256((__m256i *)out, sum);
}

#include "../../_abc/lanes.h"
