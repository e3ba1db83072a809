/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* MICKEY-128 2.0 with each register in an AVX2 vector (see halves.h). */

#include "crypto_stream.h"

#include "../../_mickey/halves.h"

INLINE __m256i xor_and(__m256i a, __m256i b, __m256i c)
{
    return _mm256_xor_si256(a, _mm256_and_si256(b, c));
}

INLINE __m256i xor_3(__m256i a, __m256i b, __m256i c)
{
    return _mm256_xor_si256(_mm256_xor_si256(a, b), c);
}

INLINE __m256i and_xor(__m256i a, __m256i b, __m256i c)
{
    return _mm256_and_si256(a, _mm256_xor_si256(b, c));
}

/* Byte i of the two vectors that vpshufb, which does not cross halves, takes from
 * the own half of x and from the other one; -1 gives 0. */
#define OWN(i) ((int8_t)(from[i] >= 0 && from[i] / 16 == (i) / 16 ? from[i] % 16 : -1))
#define OTHER(i) ((int8_t)(from[i] >= 0 && from[i] / 16 != (i) / 16 ? from[i] % 16 : -1))
#define KEEP(i) ((int8_t)(from[i] >= 0 ? 0 : -1))
#define FOUR(F, i) F(i), F((i) + 1), F((i) + 2), F((i) + 3)
#define VECTOR(F)                                                              \
    _mm256_setr_epi8(FOUR(F, 0), FOUR(F, 4), FOUR(F, 8), FOUR(F, 12),          \
                     FOUR(F, 16), FOUR(F, 20), FOUR(F, 24), FOUR(F, 28))

INLINE __m256i patch(__m256i x, const int8_t from[32])
{
    __m256i swapped = _mm256_permute4x64_epi64(x, 0x4e);

    return _mm256_or_si256(_mm256_and_si256(x, VECTOR(KEEP)),
                           _mm256_or_si256(_mm256_shuffle_epi8(x, VECTOR(OWN)),
                                           _mm256_shuffle_epi8(swapped, VECTOR(OTHER))));
}
