/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef RAINBOW_FIELD_GFNI_H
#define RAINBOW_FIELD_GFNI_H

/* Rainbow's field on 64-byte vectors.  VGF2P8MULB multiplies modulo X^8 + X^4 +
 * X^3 + X + 1; there 0x46 is a root of Rainbow's polynomial, so X -> 0x46 is an
 * isomorphism, and VGF2P8AFFINEQB takes 64 bytes there and back.  Everything is
 * computed there.  No branch and no address depends on a value. */

#include <immintrin.h>

typedef __m512i vec;

#define MASK(count) ((UINT64_C(1) << (count)) - 1) /* count < 64 */

static inline vec there(vec v)
{
    return _mm512_gf2p8affine_epi64_epi8(v, _mm512_set1_epi64(0x0dae86dcbcfca25c), 0);
}

static inline vec back(vec v)
{
    return _mm512_gf2p8affine_epi64_epi8(v, _mm512_set1_epi64(0x43e06c2ef2283088), 0);
}

static inline vec mul(vec a, vec b)
{
    return _mm512_gf2p8mul_epi8(a, b);
}

static inline vec mul_byte(vec a, uint8_t b)
{
    return mul(a, _mm512_set1_epi8((char)b));
}

static inline vec load(const uint8_t *p, int count)
{
    return _mm512_maskz_loadu_epi8(MASK(count), p);
}

static inline void store(uint8_t *p, vec v, int count)
{
    _mm512_mask_storeu_epi8(p, MASK(count), v);
}

/* Sums of the bytes of eight vectors, in order. */
static inline void add_bytes(uint8_t out[8], const vec s[8])
{
    vec pair[4], four[2], v;
    for (int i = 0; i < 4; i++)
        pair[i] = _mm512_xor_si512(_mm512_unpacklo_epi64(s[2 * i], s[2 * i + 1]),
                                   _mm512_unpackhi_epi64(s[2 * i], s[2 * i + 1]));
    for (int i = 0; i < 2; i++)
        four[i] = _mm512_xor_si512(_mm512_shuffle_i64x2(pair[2 * i], pair[2 * i + 1], 0x88),
                                   _mm512_shuffle_i64x2(pair[2 * i], pair[2 * i + 1], 0xdd));
    v = _mm512_xor_si512(_mm512_shuffle_i64x2(four[0], four[1], 0x88),
                         _mm512_shuffle_i64x2(four[0], four[1], 0xdd));
    v = _mm512_xor_si512(v, _mm512_srli_epi64(v, 32));
    v = _mm512_xor_si512(v, _mm512_srli_epi64(v, 16));
    v = _mm512_xor_si512(v, _mm512_srli_epi64(v, 8));
    _mm_storel_epi64((__m128i *)out, _mm512_cvtepi64_epi8(v));
}

/* out[i] = row i (as it is in a key) times v; rows of `length` < 64 bytes stand
 * next to each other.  Writes up to the next multiple of eight. */
static inline void times_rows(uint8_t *out, const uint8_t *rows, int count, int length, vec v)
{
    for (int i = 0; i < count; i += 8) {
        vec products[8];
        for (int j = 0; j < 8; j++)
            products[j] = i + j < count ? mul(there(load(rows + (i + j) * length, length)), v) : _mm512_setzero_si512();
        add_bytes(out + i, products);
    }
}

#endif
