/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ML_KEM_VECTOR_H
#define ML_KEM_VECTOR_H

/* The transform in vectors of 16 coefficients (AVX2), with the sizes of ntt.h.
 *
 * Blocks of 32 coefficients are two vectors.  The layers above 8 add and subtract whole vectors;
 * for each layer below, the two vectors are exchanged so that one holds what the layer calls low
 * and the other what it calls high.  After the last, the first holds the 16 coefficients of even
 * place and the second those of odd place, as products of pairs want them: that is the order of
 * transformed polynomials here. */

#include <immintrin.h>

#include "exchange_avx2.h"
#include "field.h"

typedef __m256i v16;

/* Inline for the sake of `half`, which is a constant that others are quotients by. */
#define VECTOR_INLINE static inline __attribute__((always_inline))

static inline v16 v16_load(const int16_t *p)
{
    return _mm256_load_si256((const __m256i *)p);
}

static inline void v16_store(int16_t *p, v16 x)
{
    _mm256_store_si256((__m256i *)p, x);
}

/* y / q modulo 2^16: what v16_multiply wants beside y */
static inline v16 v16_over_q(v16 y)
{
    return _mm256_mullo_epi16(y, _mm256_set1_epi16((int16_t)(Q_INVERSE - 65536)));
}

/* fq_multiply */
static inline v16 v16_multiply(v16 x, v16 y, v16 y_over_q)
{
    const v16 m = _mm256_mullo_epi16(x, y_over_q);

    return _mm256_sub_epi16(_mm256_mulhi_epi16(x, y), _mm256_mulhi_epi16(m, _mm256_set1_epi16(Q)));
}

/* fq_reduce: 2^26/q in two steps */
static inline v16 v16_reduce(v16 x)
{
    const v16 quotient = _mm256_mulhi_epi16(x, _mm256_set1_epi16(20159));
    const v16 rounded = _mm256_srai_epi16(_mm256_add_epi16(quotient, _mm256_set1_epi16(1 << 9)), 10);

    return _mm256_sub_epi16(x, _mm256_mullo_epi16(rounded, _mm256_set1_epi16(Q)));
}

/* The factors of a layer below 16 for two exchanged vectors: 2, 4 or 8 of them, each as often as its
 * block has coefficients in one of the two.  The inverse takes them from the table's end. */
VECTOR_INLINE v16 v16_zetas(const int16_t *at, unsigned half, int backwards)
{
    const v16 all = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)at));
    const v16 place = half == 8   ? _mm256_set_epi64x(0x0202020202020202, 0x0202020202020202, 0, 0)
                      : half == 4 ? _mm256_set_epi64x(0x0606060606060606, 0x0404040404040404, 0x0202020202020202, 0)
                                  : _mm256_set_epi64x(0x0e0e0e0e0c0c0c0c, 0x0a0a0a0a08080808, 0x0606060604040404,
                                                      0x0202020200000000);
    const v16 last = _mm256_set1_epi8((char)(16 / half * 2 - 2)); /* the last factor's place, in bytes */
    const v16 from = backwards ? _mm256_sub_epi8(last, place) : place;
    const v16 high_bytes = _mm256_set1_epi16(0x0100);

    return _mm256_shuffle_epi8(all, _mm256_add_epi8(from, high_bytes));
}

static inline void v16_butterfly(v16 *low, v16 *high, v16 zeta, v16 zeta_over_q)
{
    const v16 t = v16_multiply(*high, zeta, zeta_over_q);

    *high = _mm256_sub_epi16(*low, t);
    *low = _mm256_add_epi16(*low, t);
}

static inline void v16_inverse_butterfly(v16 *low, v16 *high, v16 zeta, v16 zeta_over_q)
{
    const v16 t = *low;

    *low = _mm256_add_epi16(t, *high);
    *high = v16_multiply(_mm256_sub_epi16(*high, t), zeta, zeta_over_q);
}

VECTOR_INLINE void v16_small_layer(v16 *x, v16 *y, unsigned half, unsigned n)
{
    const v16 zeta = v16_zetas(zetas + 128 / half + 16 / half * n, half, 0);

    v16_butterfly(x, y, zeta, v16_over_q(zeta));
}

VECTOR_INLINE void v16_small_inverse_layer(v16 *x, v16 *y, unsigned half, unsigned n)
{
    const v16 zeta = v16_zetas(zetas + 256 / half - 16 / half * (n + 1), half, 1);

    v16_inverse_butterfly(x, y, zeta, v16_over_q(zeta));
}

static void ntt(poly *p)
{
    const int16_t *zeta = zetas;

    for (unsigned half = 128; half >= 16; half /= 2)
        for (unsigned start = 0; start < 256; start += 2 * half) {
            const v16 z = _mm256_set1_epi16(*++zeta), z_over_q = v16_over_q(z);
            for (int16_t *at = p->c + start; at < p->c + start + half; at += 16) {
                v16 low = v16_load(at), high = v16_load(at + half);
                v16_butterfly(&low, &high, z, z_over_q);
                v16_store(at, low);
                v16_store(at + half, high);
            }
        }
    for (unsigned n = 0; n < 8; n++) {
        v16 x = v16_load(p->c + 32 * n), y = v16_load(p->c + 32 * n + 16);
        exchange_128(&x, &y);
        v16_small_layer(&x, &y, 8, n);
        exchange_64(&x, &y);
        v16_small_layer(&x, &y, 4, n);
        exchange_32(&x, &y);
        v16_small_layer(&x, &y, 2, n);
        exchange_16(&x, &y);
        v16_store(p->c + 32 * n, v16_reduce(x));
        v16_store(p->c + 32 * n + 16, v16_reduce(y));
    }
}

static void ntt_inverse(poly *p)
{
    const int16_t *zeta = zetas + 16;
    const v16 scale = _mm256_set1_epi16(1441), scale_over_q = v16_over_q(scale); /* as in ntt.h */

    for (unsigned n = 0; n < 8; n++) {
        v16 x = v16_reduce(v16_load(p->c + 32 * n)), y = v16_reduce(v16_load(p->c + 32 * n + 16));
        exchange_16(&x, &y);
        v16_small_inverse_layer(&x, &y, 2, n);
        exchange_32(&x, &y);
        v16_small_inverse_layer(&x, &y, 4, n);
        exchange_64(&x, &y);
        v16_small_inverse_layer(&x, &y, 8, n);
        exchange_128(&x, &y);
        v16_store(p->c + 32 * n, v16_reduce(x)); /* four layers left: at most 8 q */
        v16_store(p->c + 32 * n + 16, v16_reduce(y));
    }
    for (unsigned half = 16; half <= 128; half *= 2)
        for (unsigned start = 0; start < 256; start += 2 * half) {
            const v16 z = _mm256_set1_epi16(*--zeta), z_over_q = v16_over_q(z);
            for (int16_t *at = p->c + start; at < p->c + start + half; at += 16) {
                v16 low = v16_load(at), high = v16_load(at + half);
                v16_inverse_butterfly(&low, &high, z, z_over_q);
                v16_store(at, low);
                v16_store(at + half, high);
            }
        }
    for (unsigned i = 0; i < 256; i += 16) v16_store(p->c + i, v16_multiply(v16_load(p->c + i), scale, scale_over_q));
}

static void multiply_add(poly *sum, const poly *x, const poly *y)
{
    const v16 signs = _mm256_set1_epi32((int)0xffff0001); /* 1, -1 */

    for (unsigned n = 0; n < 8; n++) {
        const unsigned even = 32 * n, odd = even + 16;
        const v16 a0 = v16_load(x->c + even), a1 = v16_load(x->c + odd);
        const v16 b0 = v16_load(y->c + even), b1 = v16_load(y->c + odd);
        const v16 b0_over_q = v16_over_q(b0), b1_over_q = v16_over_q(b1);
        const v16 gamma = _mm256_sign_epi16(v16_zetas(zetas + 64 + 8 * n, 2, 0), signs);
        const v16 high = v16_multiply(v16_multiply(a1, b1, b1_over_q), gamma, v16_over_q(gamma));
        const v16 c0 = _mm256_add_epi16(v16_multiply(a0, b0, b0_over_q), high);
        const v16 c1 = _mm256_add_epi16(v16_multiply(a0, b1, b1_over_q), v16_multiply(a1, b0, b0_over_q));
        v16_store(sum->c + even, _mm256_add_epi16(v16_load(sum->c + even), c0));
        v16_store(sum->c + odd, _mm256_add_epi16(v16_load(sum->c + odd), c1));
    }
}

static void from_standard_order(poly *p)
{
    for (unsigned i = 0; i < 256; i += 32) {
        v16 x = v16_load(p->c + i), y = v16_load(p->c + i + 16);
        exchange_128(&x, &y);
        exchange_64(&x, &y);
        exchange_32(&x, &y);
        exchange_16(&x, &y);
        v16_store(p->c + i, x);
        v16_store(p->c + i + 16, y);
    }
}

static void to_standard_order(poly *p)
{
    for (unsigned i = 0; i < 256; i += 32) {
        v16 x = v16_load(p->c + i), y = v16_load(p->c + i + 16);
        exchange_16(&x, &y);
        exchange_32(&x, &y);
        exchange_64(&x, &y);
        exchange_128(&x, &y);
        v16_store(p->c + i, x);
        v16_store(p->c + i + 16, y);
    }
}

#endif
