/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* MICKEY-128 2.0 with each register in a 256-bit vector (see halves.h), with the
 * three-operand logic of AVX-512VL and the byte permutation of AVX-512 VBMI.
 * vpternlogq takes its truth table: bit 4a + 2b + c for the operands a, b, c. */

#include "crypto_stream.h"

#include "../../_mickey/halves.h"

INLINE __m256i xor_and(__m256i a, __m256i b, __m256i c)
{
    return _mm256_ternarylogic_epi64(a, b, c, 0x78);
}

INLINE __m256i xor_3(__m256i a, __m256i b, __m256i c)
{
    return _mm256_ternarylogic_epi64(a, b, c, 0x96);
}

INLINE __m256i and_xor(__m256i a, __m256i b, __m256i c)
{
    return _mm256_ternarylogic_epi64(a, b, c, 0x60);
}

INLINE __m256i patch(__m256i x, const int8_t from[32])
{
    __m256i index = _mm256_loadu_si256((const __m256i *)from);

    return _mm256_mask_permutexvar_epi8(x, ~_mm256_movepi8_mask(index), index, x);
}
