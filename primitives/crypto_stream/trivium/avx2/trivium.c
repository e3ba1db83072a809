/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Trivium with the registers in the lanes of an AVX2 vector (see lanes.h): a tap
 * is two shifts by lane (vpsllvq, vpsrlvq). */

#include "crypto_stream.h"

#include "../../_trivium/lanes.h"

INLINE __m256i deep(__m256i now, __m256i before, __m256i depth)
{
    __m256i left = _mm256_sub_epi64(depth, _mm256_set1_epi64x(64));
    __m256i right = _mm256_sub_epi64(_mm256_set1_epi64x(128), depth);

    return _mm256_or_si256(_mm256_sllv_epi64(now, left),
                           _mm256_srlv_epi64(before, right));
}
