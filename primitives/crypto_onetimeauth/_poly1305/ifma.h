/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef POLY1305_IFMA_H
#define POLY1305_IFMA_H

/* Poly1305 with AVX-512 IFMA: eight blocks a vector, one per 64-bit lane, each
 * number three limbs of 44 bits (x0 + 2^44 x1 + 2^88 x2) for the 52 x 52-bit
 * multiply-add, which gives the low or the high 52 bits of a product.
 *
 * The n blocks m[1..n] are cut into groups of eight *from the end*, zero
 * lanes in front, so that every lane takes part in every step (Goll and
 * Gueron, "Vectorization of Poly1305 message authentication code", ITNG 2015,
 * evaluate the polynomial in parallel with powers of r in this way):
 *
 *   x = first group;  x = x r^8 + next group, ...;
 *   h = sum over the lanes of x (r^8, r^7, ..., r)
 *
 * In long messages two groups share a carry: x = (x r^16 + group r^8) + next.
 * Masked loads read no byte beyond the message, so any length up to 128 bytes
 * takes the same straight line. */

#include <immintrin.h>

#include "scalar64.h"

#ifndef POLY1305_IFMA_PAIRS
#define POLY1305_IFMA_PAIRS 5 /* groups from which on r^16 pays for itself */
#endif

/* Eight numbers as limbs.  Sums are below 2^46 per limb, products leave limbs
 * below 2^44 + 2^16. */
typedef struct {
    __m512i x0, x1, x2;
} poly1305_ifma_vector;

/* Factors: limbs below 2^45, and 20 x1, 20 x2 for what passes 2^132 = 4 * 2^130
 * = 20 (mod p). */
typedef struct {
    __m512i x0, x1, x2, x1_20, x2_20;
} poly1305_ifma_factor;

/* low[i] and high[i]: the halves of the products for limb i, not carried. */
typedef struct {
    __m512i low[3], high[3];
} poly1305_ifma_product;

static inline __m512i poly1305_ifma_mask44(void)
{
    return _mm512_set1_epi64(0xfffffffffff);
}

/* Limbs of lo + 2^64 hi + 2^128 top. */
static inline poly1305_ifma_vector poly1305_ifma_split(__m512i lo, __m512i hi,
                                                       __m512i top)
{
    poly1305_ifma_vector v;
    __m512i mask = poly1305_ifma_mask44();

    v.x0 = _mm512_and_si512(lo, mask);
    v.x1 = _mm512_ternarylogic_epi64(_mm512_srli_epi64(lo, 44),
                                     _mm512_slli_epi64(hi, 20), mask,
                                     0xa8); /* (a | b) & c */
    v.x2 = _mm512_add_epi64(_mm512_srli_epi64(hi, 24),
                            _mm512_slli_epi64(top, 40));
    return v;
}

static inline poly1305_ifma_vector poly1305_ifma_add(poly1305_ifma_vector a,
                                                     poly1305_ifma_vector b)
{
    a.x0 = _mm512_add_epi64(a.x0, b.x0);
    a.x1 = _mm512_add_epi64(a.x1, b.x1);
    a.x2 = _mm512_add_epi64(a.x2, b.x2);
    return a;
}

static inline __m512i poly1305_ifma_times20(__m512i x)
{
    return _mm512_add_epi64(_mm512_slli_epi64(x, 4), _mm512_slli_epi64(x, 2));
}

static inline poly1305_ifma_factor poly1305_ifma_factor_of(poly1305_ifma_vector v)
{
    poly1305_ifma_factor f = {v.x0, v.x1, v.x2, poly1305_ifma_times20(v.x1),
                              poly1305_ifma_times20(v.x2)};
    return f;
}

/* product += a b.  The low halves stay below 2^52 each, the high halves below
 * 2^(46 + 49.4 - 52). */
static inline void poly1305_ifma_mul(poly1305_ifma_product *p,
                                     poly1305_ifma_vector a,
                                     const poly1305_ifma_factor *b)
{
#define POLY1305_IFMA_STEP(i, x, y)                                            \
    p->low[i] = _mm512_madd52lo_epu64(p->low[i], x, y);                        \
    p->high[i] = _mm512_madd52hi_epu64(p->high[i], x, y)

    POLY1305_IFMA_STEP(2, a.x0, b->x2);
    POLY1305_IFMA_STEP(0, a.x0, b->x0);
    POLY1305_IFMA_STEP(1, a.x0, b->x1);
    POLY1305_IFMA_STEP(2, a.x1, b->x1);
    POLY1305_IFMA_STEP(0, a.x1, b->x2_20);
    POLY1305_IFMA_STEP(1, a.x1, b->x0);
    POLY1305_IFMA_STEP(2, a.x2, b->x0);
    POLY1305_IFMA_STEP(0, a.x2, b->x1_20);
    POLY1305_IFMA_STEP(1, a.x2, b->x2_20);
#undef POLY1305_IFMA_STEP
}

/* Low and high halves joined: high[i] has weight 2^52 = 2^8 2^44, that of limb
 * i + 1 times 2^8; for i = 2 it is 2^140 = 2^10 2^130 = 5 * 2^10.  Limbs stay
 * below 2^59 (after two products). */
static inline poly1305_ifma_vector
poly1305_ifma_join(const poly1305_ifma_product *p)
{
    poly1305_ifma_vector v;
    __m512i wrap = _mm512_slli_epi64(p->high[2], 10);

    wrap = _mm512_add_epi64(wrap, _mm512_slli_epi64(p->high[2], 12));
    v.x0 = _mm512_add_epi64(p->low[0], wrap);
    v.x1 = _mm512_add_epi64(p->low[1], _mm512_slli_epi64(p->high[0], 8));
    v.x2 = _mm512_add_epi64(p->low[2], _mm512_slli_epi64(p->high[1], 8));
    return v;
}

/* All limbs carry once, side by side: below 2^44 + 2^16 afterwards. */
static inline poly1305_ifma_vector poly1305_ifma_carry(poly1305_ifma_vector v)
{
    __m512i mask = poly1305_ifma_mask44();
    __m512i c0 = _mm512_srli_epi64(v.x0, 44);
    __m512i c1 = _mm512_srli_epi64(v.x1, 44);
    __m512i c2 = _mm512_srli_epi64(v.x2, 42);

    c2 = _mm512_add_epi64(c2, _mm512_slli_epi64(c2, 2));
    v.x0 = _mm512_add_epi64(_mm512_and_si512(v.x0, mask), c2);
    v.x1 = _mm512_add_epi64(_mm512_and_si512(v.x1, mask), c0);
    v.x2 = _mm512_add_epi64(_mm512_and_si512(v.x2, _mm512_srli_epi64(mask, 2)),
                            c1);
    return v;
}

static inline poly1305_ifma_vector
poly1305_ifma_times(poly1305_ifma_vector a, const poly1305_ifma_factor *b)
{
    poly1305_ifma_product p = {0};
    poly1305_ifma_mul(&p, a, b);
    return poly1305_ifma_carry(poly1305_ifma_join(&p));
}

/* a r^16 + b r^8 */
static inline poly1305_ifma_vector
poly1305_ifma_two(poly1305_ifma_vector a, const poly1305_ifma_factor *r16,
                  poly1305_ifma_vector b, const poly1305_ifma_factor *r8)
{
    poly1305_ifma_product p = {0};
    poly1305_ifma_mul(&p, b, r8);
    poly1305_ifma_mul(&p, a, r16);
    return poly1305_ifma_carry(poly1305_ifma_join(&p));
}

/* The number in lane 0, in each lane. */
static inline poly1305_ifma_vector poly1305_ifma_lane0(poly1305_ifma_vector v)
{
    v.x0 = _mm512_broadcastq_epi64(_mm512_castsi512_si128(v.x0));
    v.x1 = _mm512_broadcastq_epi64(_mm512_castsi512_si128(v.x1));
    v.x2 = _mm512_broadcastq_epi64(_mm512_castsi512_si128(v.x2));
    return v;
}

/* h = the sum over the lanes of v (r^8, ..., r); lanes below 2^58, sums below
 * 2^61, h[2] below 2^22. */
static inline void poly1305_ifma_finish(uint64_t h[3], poly1305_ifma_vector v,
                                        const poly1305_ifma_factor *last)
{
    poly1305_ifma_product p = {0};

    poly1305_ifma_mul(&p, v, last);
    v = poly1305_ifma_join(&p);

    uint64_t d1 = (uint64_t)_mm512_reduce_add_epi64(v.x1);
    uint64_t d0 = (uint64_t)_mm512_reduce_add_epi64(v.x0);
    uint64_t d2 = (uint64_t)_mm512_reduce_add_epi64(v.x2);
    poly1305_u128 sum = ((poly1305_u128)d1 << 44) + d0;
    h[0] = (uint64_t)sum;
    sum = ((poly1305_u128)d2 << 24) + (uint64_t)(sum >> 64);
    h[1] = (uint64_t)sum;
    h[2] = (uint64_t)(sum >> 64);
}

/* Eight whole blocks. */
static inline poly1305_ifma_vector poly1305_ifma_load(const uint8_t *in)
{
    __m512i a = _mm512_loadu_si512(in), b = _mm512_loadu_si512(in + 64);
    __m512i even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
    __m512i odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);

    return poly1305_ifma_split(_mm512_permutex2var_epi64(a, even, b),
                               _mm512_permutex2var_epi64(a, odd, b),
                               _mm512_set1_epi64(1));
}

/* `length` bytes, 0..128, in the highest lanes: whole blocks and perhaps a
 * last one that is shorter.  Behind the last byte comes a one; or, with
 * `lengths`, zeroes up to a whole block and then those two words as another
 * block (length <= 112; RFC 8439, section 2.8). */
static inline poly1305_ifma_vector
poly1305_ifma_load_some(const uint8_t *in, uint64_t length,
                        const uint64_t *lengths)
{
    poly1305_u128 bytes = length < 128 ? ((poly1305_u128)1 << length) - 1
                                       : ~(poly1305_u128)0;
    poly1305_u128 next = lengths ? 0 : bytes + 1; /* the bit behind */
    uint64_t lanes = (length + 15) / 16 + (lengths != 0);
    __m512i a = _mm512_maskz_set1_epi8((uint64_t)next, 1);
    __m512i b = _mm512_maskz_set1_epi8((uint64_t)(next >> 64), 1);
    /* lane 8 - lanes + i of the result comes from words 2 i and 2 i + 1 */
    __m512i even = _mm512_add_epi64(_mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14),
                                    _mm512_set1_epi64(2 * (long long)lanes));
    __m512i odd = _mm512_or_si512(even, _mm512_set1_epi64(1));
    __mmask8 used = (__mmask8)(0xff00 >> lanes), topped = used;

    if (!lengths && length % 16 != 0) topped &= 0x7f;
    a = _mm512_mask_loadu_epi8(a, (uint64_t)bytes, in);
    b = _mm512_mask_loadu_epi8(b, (uint64_t)(bytes >> 64), in + 64);
    even = _mm512_maskz_permutex2var_epi64(used, a, even, b);
    odd = _mm512_maskz_permutex2var_epi64(used, a, odd, b);
    if (lengths) {
        even = _mm512_mask_set1_epi64(even, 0x80, (long long)lengths[0]);
        odd = _mm512_mask_set1_epi64(odd, 0x80, (long long)lengths[1]);
    }
    return poly1305_ifma_split(even, odd, _mm512_maskz_set1_epi64(topped, 1));
}

/* The rest of poly1305_ifma_run from the second group on, groups >= 1. */
static inline poly1305_ifma_vector
poly1305_ifma_groups(poly1305_ifma_vector x, poly1305_ifma_vector powers,
                     const uint8_t *in, uint64_t length, uint64_t groups,
                     const uint64_t *lengths)
{
    poly1305_ifma_factor r8 =
        poly1305_ifma_factor_of(poly1305_ifma_lane0(powers));

    if (groups >= POLY1305_IFMA_PAIRS) {
        poly1305_ifma_vector v = {r8.x0, r8.x1, r8.x2};
        poly1305_ifma_factor r16 =
            poly1305_ifma_factor_of(poly1305_ifma_times(v, &r8));
        for (; groups > 2; groups -= 2, in += 256, length -= 256) {
            x = poly1305_ifma_two(x, &r16, poly1305_ifma_load(in), &r8);
            x = poly1305_ifma_add(x, poly1305_ifma_load(in + 128));
        }
    }
    for (; groups > 1; groups--, in += 128, length -= 128)
        x = poly1305_ifma_add(poly1305_ifma_times(x, &r8),
                              poly1305_ifma_load(in));
    return poly1305_ifma_add(poly1305_ifma_times(x, &r8),
                             poly1305_ifma_load_some(in, length, lengths));
}

/* h in the lane before which all others are zero. */
static inline poly1305_ifma_vector
poly1305_ifma_start(const uint64_t h[3], uint64_t lanes)
{
    __mmask8 first = (__mmask8)(0x100 >> lanes);

    return poly1305_ifma_split(_mm512_maskz_set1_epi64(first, (long long)h[0]),
                               _mm512_maskz_set1_epi64(first, (long long)h[1]),
                               _mm512_maskz_set1_epi64(first, (long long)h[2]));
}

/* The end of a message after h (null: h = 0), into `h_out`; `lengths` as in
 * poly1305_ifma_load_some.  powers: lanes r^8, ..., r.  h[2] <= 7 before, as
 * poly1305_64_tag wants it after. */
static inline void poly1305_ifma_run(uint64_t h_out[3], const uint64_t h[3],
                                     poly1305_ifma_vector powers,
                                     const uint8_t *in, uint64_t length,
                                     const uint64_t *lengths)
{
    poly1305_ifma_factor last = poly1305_ifma_factor_of(powers);
    uint64_t blocks = length / 16 + (length % 16 > 0) + (lengths != 0);
    uint64_t head = (blocks - 1) % 8 + 1, groups = (blocks - 1) / 8;
    poly1305_ifma_vector x;

    if (groups == 0)
        x = poly1305_ifma_load_some(in, length, lengths);
    else
        x = poly1305_ifma_load_some(in, 16 * head, 0);
    if (h) x = poly1305_ifma_add(x, poly1305_ifma_start(h, head));
    if (groups > 0)
        x = poly1305_ifma_groups(x, powers, in + 16 * head, length - 16 * head,
                                 groups, lengths);
    poly1305_ifma_finish(h_out, x, &last);
}

#endif
