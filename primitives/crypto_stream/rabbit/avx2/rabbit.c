/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Rabbit with AVX2: the even state words in one vector, the odd ones in
 * another, each in the low half of a 64-bit lane, where one instruction squares
 * four of them.  A square XOR its halves exchanged holds g twice, so a shift of
 * the lane right by 16 or 24 leaves g <<< 16 or g <<< 8 in its low half. */

#include "crypto_stream.h"

#include <immintrin.h>

#include "../../_rabbit/key.h"

typedef struct {
    __m256i even, odd; /* (x0 x2 x4 x6), (x1 x3 x5 x7) */
} vec;

static inline void load(vec *u, const uint32_t x[8], const uint64_t c[4])
{
    __m256i pairs = _mm256_loadu_si256((const __m256i *)x);
    __m256i count = _mm256_loadu_si256((const __m256i *)c);
    u->even = _mm256_add_epi32(pairs, count);
    u->odd = _mm256_srli_epi64(u->even, 32);
}

static inline void store(uint32_t x[8], const vec *v)
{
    __m256i odd = _mm256_slli_epi64(v->odd, 32);
    _mm256_storeu_si256((__m256i *)x, _mm256_blend_epi32(v->even, odd, 0xaa));
}

static inline __m256i g(__m256i u)
{
    __m256i square = _mm256_mul_epu32(u, u);
    return _mm256_xor_si256(square, _mm256_shuffle_epi32(square, 0xb1));
}

static inline void next(vec *u, vec *x, const uint64_t c[4])
{
    __m256i count = _mm256_loadu_si256((const __m256i *)c);
    __m256i even = g(u->even), odd = g(u->odd);
    __m256i odd1 = _mm256_permute4x64_epi64(odd, 0x93);   /* g7 g1 g3 g5 */
    __m256i even1 = _mm256_permute4x64_epi64(even, 0x93); /* g6 g0 g2 g4 */
    __m256i to_even = _mm256_add_epi32(_mm256_srli_epi64(odd1, 16),
                                       _mm256_srli_epi64(even1, 16));
    __m256i to_odd = _mm256_add_epi32(_mm256_srli_epi64(even, 24), odd1);
    x->even = _mm256_add_epi32(even, to_even);
    x->odd = _mm256_add_epi32(odd, to_odd);
    even = _mm256_add_epi32(even, count);
    odd = _mm256_add_epi32(odd, _mm256_srli_epi64(count, 32));
    u->even = _mm256_add_epi32(even, to_even);
    u->odd = _mm256_add_epi32(odd, to_odd);
}

static inline __m256i words(__m256i even, __m256i odd)
{   /* 128-bit halves: even words of two blocks, (0 2 0' 2') (4 6 4' 6') */
    __m256i far = _mm256_permute4x64_epi64(odd, 0x4e); /* (5 7 5' 7') (1 3 1' 3') */
    __m256i near = _mm256_blend_epi32(odd, far, 0x55); /* (5 3 5' 3') (1 7 1' 7') */
    near = _mm256_shuffle_epi32(near, 0xb1);           /* (3 5 3' 5') (7 1 7' 1') */
    even = _mm256_xor_si256(even, _mm256_srli_epi32(far, 16));
    even = _mm256_xor_si256(even, _mm256_slli_epi32(near, 16));
    return _mm256_permute4x64_epi64(even, 0xd8);
}

static inline __m256i low_halves(__m256i x, __m256i y)
{
    return _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(x),
                                                 _mm256_castsi256_ps(y), 0x88));
}

static inline void output2(uint8_t *out, const uint8_t *in, const vec *x, const vec *y)
{
    __m256i z = words(low_halves(x->even, y->even), low_halves(x->odd, y->odd));
    z = _mm256_xor_si256(z, _mm256_loadu_si256((const __m256i *)in));
    _mm256_storeu_si256((__m256i *)out, z);
}

static inline void output(uint8_t *out, const uint8_t *in, const vec *x)
{
    __m256i z = words(low_halves(x->even, x->even), low_halves(x->odd, x->odd));
    __m128i m = _mm_loadu_si128((const __m128i *)in);
    _mm_storeu_si128((__m128i *)out, _mm_xor_si128(m, _mm256_castsi256_si128(z)));
}

#include "../../_rabbit/vector.h"
