/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SNOW_GFNI_H
#define SNOW_GFNI_H

/* The linear register of SNOW 2.0 and SOSEMANUK, eight words at once, with
 * AVX2 and GFNI.
 *
 * A vector holds eight words by planes: the least significant bytes of the
 * words 0 .. 7 in its first 64-bit lane, and so on.  Multiplication by a
 * constant is linear over GF(2): an 8 x 8 bit matrix from each plane to each,
 * which GF2P8AFFINEQB applies with one matrix a lane.
 *
 * A new word needs words that are too new for eight at once.  Squaring the
 * feedback polynomial doubles all distances (characteristic 2):
 *   SNOW 2.0    s[t+16] = alpha^-1 s[t+11] + s[t+2] + alpha s[t]  gives
 *               s[t+32] = alpha^-2 s[t+22] + s[t+4] + alpha^2 s[t]
 *   SOSEMANUK   a[t+10] = a[t+9] + alpha^-1 a[t+3] + alpha a[t]   gives
 *               a[t+20] = a[t+18] + alpha^-2 a[t+6] + alpha^2 a[t]
 * alpha^2 w moves two planes up, and adds images of planes 2 and 3; alpha^-2 w
 * moves two down, and adds images of planes 0 and 1.  The matrices follow from
 * the definition of alpha in alpha.h; row of output bit i is byte 7 - i. */

#include <immintrin.h>
#include <stdint.h>

#define WORD64(x) ((long long)x##ULL)
#define TIMES_2 /* plane 2 in alpha^2 w */                                     \
    _mm256_setr_epi64x(WORD64(0xf1e3c67cf90204f8), WORD64(0x13274f8d1a264d89), \
                       WORD64(0xbf7fff4183b8705f), WORD64(0x0b162c52a4438705))
#define TIMES_3 /* plane 3 */                                                  \
    _mm256_setr_epi64x(WORD64(0x6edcb81e3c162c37), WORD64(0x4891220c197bf6a4), \
                       WORD64(0x9224490102962dc9), WORD64(0xf0e1c274e9224478))
#define DIVIDES_0 /* plane 0 in alpha^-2 w */                                  \
    _mm256_setr_epi64x(WORD64(0x3265caa64caa5599), WORD64(0xd3a74e4f9eeedd69), \
                       WORD64(0xfcf8f11f3e8001fe), WORD64(0x5bb66d81035dbb2d))
#define DIVIDES_1 /* plane 1 */                                                \
    _mm256_setr_epi64x(WORD64(0x93264d0912b66d49), WORD64(0xdcb8703c782c596e), \
                       WORD64(0xa14387af5e1c38d0), WORD64(0x9020401123d6acc8))

static inline __m256i alpha2_times(__m256i w)
{
    __m256i plane2 = _mm256_permute4x64_epi64(w, 0xaa);
    __m256i plane3 = _mm256_permute4x64_epi64(w, 0xff);
    __m256i up = _mm256_permute2x128_si256(w, w, 0x08);
    plane2 = _mm256_gf2p8affine_epi64_epi8(plane2, TIMES_2, 0);
    plane3 = _mm256_gf2p8affine_epi64_epi8(plane3, TIMES_3, 0);
    return _mm256_xor_si256(_mm256_xor_si256(plane2, plane3), up);
}

static inline __m256i alpha2_divides(__m256i w)
{
    __m256i plane0 = _mm256_permute4x64_epi64(w, 0x00);
    __m256i plane1 = _mm256_permute4x64_epi64(w, 0x55);
    __m256i down = _mm256_permute2x128_si256(w, w, 0x81);
    plane0 = _mm256_gf2p8affine_epi64_epi8(plane0, DIVIDES_0, 0);
    plane1 = _mm256_gf2p8affine_epi64_epi8(plane1, DIVIDES_1, 0);
    return _mm256_xor_si256(_mm256_xor_si256(plane0, plane1), down);
}

/* Words n .. n + 7 of the sixteen in a and b, 0 < n < 8 */
#define WORDS_FROM(n, a, b)                                                    \
    _mm256_or_si256(_mm256_srli_epi64(a, 8 * (n)), _mm256_slli_epi64(b, 64 - 8 * (n)))

#define TRANSPOSE_4X4                                                          \
    _mm256_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15,     \
                     0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)

static inline __m256i to_planes(const uint32_t w[8])
{
    __m256i x = _mm256_loadu_si256((const __m256i *)w);
    x = _mm256_shuffle_epi8(x, TRANSPOSE_4X4);
    return _mm256_permutevar8x32_epi32(x, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

static inline __m256i from_planes(__m256i x)
{
    x = _mm256_permutevar8x32_epi32(x, _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7));
    return _mm256_shuffle_epi8(x, TRANSPOSE_4X4);
}

#endif
