/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ML_DSA_VECTOR_H
#define ML_DSA_VECTOR_H

/* The transform in vectors of 8 coefficients (AVX2), with the sizes of ntt.h.
 *
 * The layers above 4 add and subtract whole vectors.  For each layer below, the two vectors of a
 * block of 16 coefficients are exchanged so that one holds what the layer calls low and the other
 * what it calls high; they stay so: that is the order of transformed polynomials here. */

#include <immintrin.h>

#include "exchange_avx2.h"
#include "field.h"
#include "zetas.h"

typedef __m256i v8;

/* Inline for the sake of `half`, which is a constant that others are quotients by. */
#define VECTOR_INLINE static inline __attribute__((always_inline))

static inline v8 v8_load(const int32_t *p)
{
    return _mm256_load_si256((const __m256i *)p);
}

static inline void v8_store(int32_t *p, v8 x)
{
    _mm256_store_si256((__m256i *)p, x);
}

/* The coefficients of odd place, where the multiplication wants them. */
static inline v8 v8_odd(v8 x)
{
    return _mm256_srli_epi64(x, 32);
}

/* y / q modulo 2^32: what v8_multiply wants beside y */
static inline v8 v8_over_q(v8 y)
{
    return _mm256_mullo_epi32(y, _mm256_set1_epi32(Q_INVERSE));
}

/* The high halves of x - m q, for four x and low halves m each of even and odd places. */
static inline v8 v8_high(v8 even, v8 m_even, v8 odd, v8 m_odd)
{
    const v8 q = _mm256_set1_epi32(Q);

    even = _mm256_sub_epi64(even, _mm256_mul_epi32(m_even, q));
    odd = _mm256_sub_epi64(odd, _mm256_mul_epi32(m_odd, q));
    return _mm256_blend_epi32(v8_odd(even), odd, 0xaa);
}

/* fq_multiply */
static inline v8 v8_multiply(v8 x, v8 y, v8 y_over_q)
{
    return v8_high(_mm256_mul_epi32(x, y), _mm256_mul_epi32(x, y_over_q), _mm256_mul_epi32(v8_odd(x), v8_odd(y)),
                   _mm256_mul_epi32(v8_odd(x), v8_odd(y_over_q)));
}

/* The factors of a layer below 8 for two exchanged vectors: 2, 4 or 8 of them, each as often as its
 * block has coefficients in one of the two.  The inverse takes them from the table's end. */
VECTOR_INLINE v8 v8_zetas(const int32_t *at, unsigned half, int backwards)
{
    const v8 all = _mm256_loadu_si256((const __m256i *)at), count = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
    const v8 place = half == 4 ? _mm256_srli_epi32(count, 2) : half == 2 ? _mm256_srli_epi32(count, 1) : count;
    const v8 last = _mm256_set1_epi32((int)(8 / half - 1));

    return _mm256_permutevar8x32_epi32(all, backwards ? _mm256_sub_epi32(last, place) : place);
}

static inline void v8_butterfly(v8 *low, v8 *high, v8 zeta, v8 zeta_over_q)
{
    const v8 t = v8_multiply(*high, zeta, zeta_over_q);

    *high = _mm256_sub_epi32(*low, t);
    *low = _mm256_add_epi32(*low, t);
}

static inline void v8_inverse_butterfly(v8 *low, v8 *high, v8 zeta, v8 zeta_over_q)
{
    const v8 t = *low;

    *low = _mm256_add_epi32(t, *high);
    *high = v8_multiply(_mm256_sub_epi32(*high, t), zeta, zeta_over_q);
}

VECTOR_INLINE void v8_small_layer(v8 *x, v8 *y, unsigned half, unsigned n)
{
    const v8 zeta = v8_zetas(zetas + 128 / half + 8 / half * n, half, 0);

    v8_butterfly(x, y, zeta, v8_over_q(zeta));
}

VECTOR_INLINE void v8_small_inverse_layer(v8 *x, v8 *y, unsigned half, unsigned n)
{
    const v8 zeta = v8_zetas(zetas + 256 / half - 8 / half * (n + 1), half, 1);

    v8_inverse_butterfly(x, y, zeta, v8_over_q(zeta));
}

static void ntt(poly *p)
{
    const int32_t *zeta = zetas;

    for (unsigned half = 128; half >= 8; half /= 2)
        for (unsigned start = 0; start < 256; start += 2 * half) {
            const v8 z = _mm256_set1_epi32(*++zeta), z_over_q = v8_over_q(z);
            for (int32_t *at = p->c + start; at < p->c + start + half; at += 8) {
                v8 low = v8_load(at), high = v8_load(at + half);
                v8_butterfly(&low, &high, z, z_over_q);
                v8_store(at, low);
                v8_store(at + half, high);
            }
        }
    for (unsigned n = 0; n < 16; n++) {
        v8 x = v8_load(p->c + 16 * n), y = v8_load(p->c + 16 * n + 8);
        exchange_128(&x, &y);
        v8_small_layer(&x, &y, 4, n);
        exchange_64(&x, &y);
        v8_small_layer(&x, &y, 2, n);
        exchange_32(&x, &y);
        v8_small_layer(&x, &y, 1, n);
        v8_store(p->c + 16 * n, x);
        v8_store(p->c + 16 * n + 8, y);
    }
}

static void ntt_inverse(poly *p)
{
    const int32_t *zeta = zetas + 32;
    const v8 scale = _mm256_set1_epi32(41978), scale_over_q = v8_over_q(scale); /* as in ntt.h */

    for (unsigned n = 0; n < 16; n++) {
        v8 x = v8_load(p->c + 16 * n), y = v8_load(p->c + 16 * n + 8);
        v8_small_inverse_layer(&x, &y, 1, n);
        exchange_32(&x, &y);
        v8_small_inverse_layer(&x, &y, 2, n);
        exchange_64(&x, &y);
        v8_small_inverse_layer(&x, &y, 4, n);
        exchange_128(&x, &y);
        v8_store(p->c + 16 * n, x);
        v8_store(p->c + 16 * n + 8, y);
    }
    for (unsigned half = 8; half <= 128; half *= 2)
        for (unsigned start = 0; start < 256; start += 2 * half) {
            const v8 z = _mm256_set1_epi32(*--zeta), z_over_q = v8_over_q(z);
            for (int32_t *at = p->c + start; at < p->c + start + half; at += 8) {
                v8 low = v8_load(at), high = v8_load(at + half);
                v8_inverse_butterfly(&low, &high, z, z_over_q);
                v8_store(at, low);
                v8_store(at + half, high);
            }
        }
    for (unsigned i = 0; i < 256; i += 8) v8_store(p->c + i, v8_multiply(v8_load(p->c + i), scale, scale_over_q));
}

static void inner_product(poly *sum, const poly *x, const poly *y, unsigned n)
{
    const v8 inverse = _mm256_set1_epi32(Q_INVERSE);

    for (unsigned i = 0; i < 256; i += 8) {
        v8 even = _mm256_setzero_si256(), odd = even;
        for (unsigned j = 0; j < n; j++) {
            const v8 a = v8_load(x[j].c + i), b = v8_load(y[j].c + i);
            even = _mm256_add_epi64(even, _mm256_mul_epi32(a, b));
            odd = _mm256_add_epi64(odd, _mm256_mul_epi32(v8_odd(a), v8_odd(b)));
        }
        v8_store(sum->c + i, v8_high(even, _mm256_mul_epi32(even, inverse), odd, _mm256_mul_epi32(odd, inverse)));
    }
}

/* To the order of transformed polynomials. */
static void from_standard_order(poly *p)
{
    for (unsigned i = 0; i < 256; i += 16) {
        v8 x = v8_load(p->c + i), y = v8_load(p->c + i + 8);
        exchange_128(&x, &y);
        exchange_64(&x, &y);
        exchange_32(&x, &y);
        v8_store(p->c + i, x);
        v8_store(p->c + i + 8, y);
    }
}

#endif
