/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Rabbit with SSSE3: four vectors of two state words, each word in the low half
 * of a 64-bit lane, where one instruction squares two of them.  A square XOR
 * its halves exchanged holds g twice; so a pair of neighbouring g's, moved one
 * place on and rotated by 16 bits, is one byte alignment by 10 of 16 bytes, and
 * g <<< 8 is a shift of the lane right by 24. */

#include "crypto_stream.h"

#include <immintrin.h>

#include "../../_rabbit/key.h"

typedef struct {
    __m128i a, b, c, d; /* (x0 x2), (x4 x6), (x1 x3), (x5 x7) */
} vec;

static inline void load(vec *u, const uint32_t x[8], const uint64_t c[4])
{
    const __m128i *pairs = (const __m128i *)x, *count = (const __m128i *)c;
    u->a = _mm_add_epi32(_mm_loadu_si128(pairs), _mm_loadu_si128(count));
    u->b = _mm_add_epi32(_mm_loadu_si128(pairs + 1), _mm_loadu_si128(count + 1));
    u->c = _mm_srli_epi64(u->a, 32);
    u->d = _mm_srli_epi64(u->b, 32);
}

static inline __m128i low_halves(__m128i x, __m128i y)
{
    return _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(x), _mm_castsi128_ps(y),
                                           0x88));
}

static inline void store(uint32_t x[8], const vec *v)
{
    __m128i even = low_halves(v->a, v->b), odd = low_halves(v->c, v->d);
    _mm_storeu_si128((__m128i *)x, _mm_unpacklo_epi32(even, odd));
    _mm_storeu_si128((__m128i *)(x + 4), _mm_unpackhi_epi32(even, odd));
}

static inline __m128i g(__m128i u)
{
    __m128i square = _mm_mul_epu32(u, u);
    return _mm_xor_si128(square, _mm_shuffle_epi32(square, 0xb1));
}

static inline void next(vec *u, vec *x, const uint64_t count[4])
{
    __m128i low = _mm_loadu_si128((const __m128i *)count);
    __m128i high = _mm_loadu_si128((const __m128i *)(count + 2));
    __m128i a = g(u->a), b = g(u->b), c = g(u->c), d = g(u->d);
    __m128i to_a = _mm_add_epi32(_mm_alignr_epi8(c, d, 10), _mm_alignr_epi8(a, b, 10));
    __m128i to_b = _mm_add_epi32(_mm_alignr_epi8(d, c, 10), _mm_alignr_epi8(b, a, 10));
    __m128i to_c = _mm_add_epi32(_mm_srli_epi64(a, 24), _mm_alignr_epi8(c, d, 8));
    __m128i to_d = _mm_add_epi32(_mm_srli_epi64(b, 24), _mm_alignr_epi8(d, c, 8));
    x->a = _mm_add_epi32(a, to_a);
    x->b = _mm_add_epi32(b, to_b);
    x->c = _mm_add_epi32(c, to_c);
    x->d = _mm_add_epi32(d, to_d);
    u->a = _mm_add_epi32(_mm_add_epi32(a, low), to_a);
    u->b = _mm_add_epi32(_mm_add_epi32(b, high), to_b);
    u->c = _mm_add_epi32(_mm_add_epi32(c, _mm_srli_epi64(low, 32)), to_c);
    u->d = _mm_add_epi32(_mm_add_epi32(d, _mm_srli_epi64(high, 32)), to_d);
}

static inline void output(uint8_t *out, const uint8_t *in, const vec *x)
{
    __m128i z = low_halves(x->a, x->b), far = low_halves(x->d, x->c); /* 5 7 1 3 */
    z = _mm_xor_si128(z, _mm_srli_epi32(far, 16));
    z = _mm_xor_si128(z, _mm_slli_epi32(_mm_shuffle_epi32(far, 0x93), 16));
    z = _mm_xor_si128(z, _mm_loadu_si128((const __m128i *)in));
    _mm_storeu_si128((__m128i *)out, z);
}

static inline void output2(uint8_t *out, const uint8_t *in, const vec *x, const vec *y)
{
    output(out, in, x);
    output(out + 16, in + 16, y);
}

#include "../../_rabbit/vector.h"
