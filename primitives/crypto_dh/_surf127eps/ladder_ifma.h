/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SURF127EPS_LADDER_IFMA_H
#define SURF127EPS_LADDER_IFMA_H

/* Gaudry's ladder on eight 64-bit lanes: the two points' four coordinates.  Four
 * vector products a bit; no lane waits for another but in the transforms.
 *
 * Elements are three limbs at 2^0, 2^43, 2^86, with 2^129 = 2940.  VPMADD52 gives
 * the low and the high 52 bits of a product.  With one factor b times 2^8, the
 * low halves have weight 2^-8 and the high ones 2 * 2^43 of the place. b's limbs
 * stay below 2^44 ("carried"); a's only below 2^52.  Bounds of a's limbs, written
 * as logarithms, go round as follows (a low half adds less than 2^44, five of
 * them less than 2^46.4; a limb times a carried one adds at most itself one
 * place higher):
 *
 *   a square of carried limbs           45    45.9  46.4
 *   times the last constants            45    46.4  47.3
 *   transformed                         48.9  49.8  50.8
 *   times the first constants           45    49    50.5
 *   times the carried transform         45    46.4  49.3
 *   transformed                         48.9  49.8  51.9  -> carried
 *
 * and the upper half of each product, before it is folded, is below 2^52.  (The
 * constants' and inverse coordinates' limbs are below 2^43, 2^43, 2^41.) */

#include <immintrin.h>

#include "kummer.h"

#define MASK43 ((UINT64_C(1) << 43) - 1)

typedef struct {
    __m512i l[3];
} lanes;

/* Limbs 0..2 from the sums of low halves at places 0..4, of high ones at 1..5. */
static inline lanes fold(const __m512i low[5], const __m512i high[6])
{
    const __m512i k = _mm512_set1_epi64(2940 << 8), k2 = _mm512_set1_epi64(5880 << 8);
    const __m512i zero = _mm512_setzero_si512();
    __m512i c3 = _mm512_add_epi64(_mm512_srli_epi64(low[3], 8), _mm512_slli_epi64(high[3], 1));
    __m512i c4 = _mm512_add_epi64(_mm512_srli_epi64(low[4], 8), _mm512_slli_epi64(high[4], 1));
    __m512i c5 = high[5]; /* half of it */
    __m512i top = _mm512_madd52hi_epu64(zero, c5, k2);
    __m512i low0 = _mm512_madd52lo_epu64(low[0], top, k2);
    __m512i high1 = _mm512_madd52hi_epu64(high[1], c3, k);
    __m512i low1 = _mm512_madd52lo_epu64(low[1], c4, k);
    __m512i high2 = _mm512_madd52hi_epu64(high[2], c4, k);
    __m512i low2 = _mm512_madd52lo_epu64(low[2], c5, k2);
    lanes r;
    low0 = _mm512_madd52lo_epu64(low0, c3, k);
    r.l[0] = _mm512_srli_epi64(low0, 8);
    r.l[1] = _mm512_add_epi64(_mm512_srli_epi64(low1, 8), _mm512_slli_epi64(high1, 1));
    r.l[2] = _mm512_add_epi64(_mm512_srli_epi64(low2, 8), _mm512_slli_epi64(high2, 1));
    return r;
}

/* shifted: the carried factor, times 2^8. */
static inline lanes lanes_mul(const lanes *a, const lanes *shifted)
{
    __m512i low[5], high[6];
    for (int i = 0; i < 5; i++) low[i] = high[i + 1] = _mm512_setzero_si512();
#pragma GCC unroll 3
    for (int i = 2; i >= 0; i--)
#pragma GCC unroll 3
        for (int j = 2; j >= 0; j--) {
            high[i + j + 1] = _mm512_madd52hi_epu64(high[i + j + 1], a->l[i], shifted->l[j]);
            low[i + j] = _mm512_madd52lo_epu64(low[i + j], a->l[i], shifted->l[j]);
        }
    return fold(low, high);
}

static inline lanes lanes_shifted(const lanes *a)
{
    lanes r;
    for (int i = 0; i < 3; i++) r.l[i] = _mm512_slli_epi64(a->l[i], 8);
    return r;
}

static inline lanes lanes_sq(const lanes *a)
{
    lanes shifted = lanes_shifted(a);
    __m512i low[5], high[6], zero = _mm512_setzero_si512();
    __m512i twice0 = _mm512_slli_epi64(a->l[0], 1), twice1 = _mm512_slli_epi64(a->l[1], 1);
    high[5] = _mm512_madd52hi_epu64(zero, a->l[2], shifted.l[2]);
    high[4] = _mm512_madd52hi_epu64(zero, twice1, shifted.l[2]);
    low[4] = _mm512_madd52lo_epu64(zero, a->l[2], shifted.l[2]);
    high[3] = _mm512_madd52hi_epu64(zero, twice0, shifted.l[2]);
    low[3] = _mm512_madd52lo_epu64(zero, twice1, shifted.l[2]);
    high[3] = _mm512_madd52hi_epu64(high[3], a->l[1], shifted.l[1]);
    low[2] = _mm512_madd52lo_epu64(zero, twice0, shifted.l[2]);
    high[2] = _mm512_madd52hi_epu64(zero, twice0, shifted.l[1]);
    low[2] = _mm512_madd52lo_epu64(low[2], a->l[1], shifted.l[1]);
    high[1] = _mm512_madd52hi_epu64(zero, a->l[0], shifted.l[0]);
    low[1] = _mm512_madd52lo_epu64(zero, twice0, shifted.l[1]);
    low[0] = _mm512_madd52lo_epu64(zero, a->l[0], shifted.l[0]);
    return fold(low, high);
}

/* Limbs below 2^43 and little more, of limbs below 2^52. */
static inline lanes carried(const lanes *a)
{
    const __m512i mask = _mm512_set1_epi64(MASK43), k = _mm512_set1_epi64(2940);
    lanes r;
    r.l[0] = _mm512_madd52lo_epu64(_mm512_and_si512(a->l[0], mask), _mm512_srli_epi64(a->l[2], 43), k);
    for (int i = 1; i < 3; i++)
        r.l[i] = _mm512_add_epi64(_mm512_and_si512(a->l[i], mask), _mm512_srli_epi64(a->l[i - 1], 43));
    return r;
}

/* In lanes of `negative`, a multiple of p minus a; its limbs are at least a's. */
static inline __m512i negated(__m512i a, __mmask8 negative, uint64_t multiple)
{
    return _mm512_mask_sub_epi64(a, negative, _mm512_set1_epi64((long long)multiple), a);
}

/* The Hadamard transform of each four lanes, in its natural order: (+ + + +,
 * + - + -, + + - -, + - - +).  The surface's has the middle two swapped, which
 * two transforms undo when the first constants are swapped as well. */
static inline lanes transformed(const lanes *a, const uint64_t multiple[2][3])
{
    lanes r;
    for (int i = 0; i < 3; i++) {
        __m512i v = a->l[i];
        v = _mm512_add_epi64(_mm512_shuffle_epi32(v, _MM_PERM_BADC), negated(v, 0xaa, multiple[0][i]));
        r.l[i] = _mm512_add_epi64(_mm512_permutex_epi64(v, 0x4e), negated(v, 0xcc, multiple[1][i]));
    }
    return r;
}

/* Multiples of p: the limbs of each row are just above the bounds of what is
 * subtracted from them. */
static const uint64_t multiple_outer[2][3] = {{0x87fffffd1e21, 0x107ffffffffef, 0x201ffffffffdf},
                                              {0x117fffffa2829, 0x217ffffffffdd, 0x411ffffffffbd}};
static const uint64_t multiple_inner[2][3] = {{0x87fffffa3f21, 0x107ffffffffef, 0x401ffffffffdf},
                                              {0x117fffff46a29, 0x217ffffffffdd, 0x811ffffffffbd}};

/* Of numbers below p. */
static lanes lanes_of_points(const point *u, const point *v)
{
    const fe in[8] = {u->x, u->y, u->z, u->t, v->x, v->y, v->z, v->t};
    uint64_t limbs[3][8];
    lanes r;
    for (int i = 0; i < 8; i++) {
        limbs[0][i] = (uint64_t)in[i] & MASK43;
        limbs[1][i] = (uint64_t)(in[i] >> 43) & MASK43;
        limbs[2][i] = (uint64_t)(in[i] >> 86);
    }
    for (int i = 0; i < 3; i++) r.l[i] = _mm512_loadu_si512(limbs[i]);
    return r;
}

/* The upper point where `upper` is 1, else the lower. */
static point point_of_lanes(const lanes *a, unsigned upper)
{
    uint64_t limbs[3][8];
    fe out[8];
    point u, v;
    for (int i = 0; i < 3; i++) _mm512_storeu_si512(limbs[i], a->l[i]);
    for (int i = 0; i < 8; i++) {
        uint64_t top = limbs[2][i] >> 41; /* 2^127 = 735 */
        fe r = (fe)(limbs[2][i] & (MASK43 >> 2)) << 86;
        out[i] = fe_freeze(r + ((fe)limbs[1][i] << 43) + limbs[0][i] + top * 735);
    }
    u = (point){out[0], out[1], out[2], out[3]};
    v = (point){out[4], out[5], out[6], out[7]};
    fe_cswap(&u.x, &v.x, upper);
    fe_cswap(&u.y, &v.y, upper);
    fe_cswap(&u.z, &v.z, upper);
    fe_cswap(&u.t, &v.t, upper);
    return u;
}

/* scalar * p; p has x = 1 and no coordinate 0.  The point to be doubled, the
 * lower or the upper one by the scalar's bit, goes to the lower half. */
static point point_multiple(const unsigned char *scalar, const point *p)
{
    static const point identity = {FE(1, 0, 0, 0), IDENTITY_Y, IDENTITY_Z, IDENTITY_T};
    static const point last = {FE(1, 0, 0, 0), Y0, Z0, T0};
    static const point first = {FE(1, 0, 0, 0), Z1, Y1, T1}; /* y and z swapped: see transformed */
    const __m512i in_order = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i lower_twice = _mm512_set_epi64(3, 2, 1, 0, 3, 2, 1, 0);
    point inverse = point_inverse_coordinates(p);
    lanes constants1 = lanes_of_points(&first, &first), constants0, state;
    unsigned before = 0;
    inverse = (point){fe_freeze(inverse.x), fe_freeze(inverse.y), fe_freeze(inverse.z), fe_freeze(inverse.t)};
    constants0 = lanes_of_points(&last, &inverse);
    constants0 = lanes_shifted(&constants0);
    constants1 = lanes_shifted(&constants1);
    state = lanes_of_points(&identity, p);
    for (int i = 255; i >= 0; i--) {
        unsigned bit = scalar[i / 8] >> (i % 8) & 1;
        __m512i swap = _mm512_set1_epi64((long long)((bit ^ before) << 2));
        lanes both, doubled;
        before = bit;
        state = transformed(&state, multiple_outer);
        for (int j = 0; j < 3; j++) {
            doubled.l[j] = _mm512_permutexvar_epi64(_mm512_xor_si512(lower_twice, swap), state.l[j]);
            both.l[j] = _mm512_permutexvar_epi64(_mm512_xor_si512(in_order, swap), state.l[j]);
        }
        doubled = lanes_mul(&doubled, &constants1);
        both = carried(&both);
        both = lanes_shifted(&both);
        state = lanes_mul(&doubled, &both);
        state = transformed(&state, multiple_inner);
        state = carried(&state);
        state = lanes_sq(&state);
        state = lanes_mul(&state, &constants0);
    }
    return point_of_lanes(&state, before);
}

#endif
