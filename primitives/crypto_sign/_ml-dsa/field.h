/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ML_DSA_FIELD_H
#define ML_DSA_FIELD_H

/* Numbers modulo q = 8380417 (FIPS 204, section 2.4), and polynomials of 256 of them.
 *
 * A coefficient is any int32_t of its class; functions say which sizes they take and
 * give.  Products are Montgomery's: x * y / 2^32, so that no division is needed. */

#include <stdint.h>

#define Q 8380417
#define Q_INVERSE 58728449 /* modulo 2^32 */

typedef struct {
    _Alignas(32) int32_t c[256];
} poly;

/* x / 2^32, less than q in size, for |x| < 2^31 q.  The low halves of x and of m q are equal. */
static inline int32_t fq_montgomery(int64_t x)
{
    const int32_t m = (int32_t)((uint32_t)x * (uint32_t)Q_INVERSE);
    return (int32_t)(x >> 32) - (int32_t)(m * (int64_t)Q >> 32);
}

static inline int32_t fq_multiply(int32_t x, int32_t y)
{
    return fq_montgomery((int64_t)x * y);
}

/* From -q + 1 to q - 1, for x < 2^31 - 2^22: q is 2^23 - 2^13 + 1, so that x / 2^23, rounded,
 * times q leaves at most 2^22 + 2^8 * 2^13. */
static inline int32_t fq_reduce(int32_t x)
{
    return x - ((x + (1 << 22)) >> 23) * Q;
}

/* The representative from 0 to q - 1, for |x| < q. */
static inline int32_t fq_canonical(int32_t x)
{
    return x + (Q & (x >> 31));
}

/* The representative of least size, for |x| < q. */
static inline int32_t fq_centred(int32_t x)
{
    x = fq_canonical(x);
    return x - (Q & ((Q / 2 - x) >> 31));
}

/* 1 when |x| >= bound, else 0. */
static inline uint32_t reaches(int32_t x, int32_t bound)
{
    const int32_t size = (x ^ (x >> 31)) - (x >> 31);
    return (uint32_t)(bound - 1 - size) >> 31;
}

/* Whether some |c| >= bound, in the same time wherever it is. */
static inline uint32_t poly_reaches(const poly *p, int32_t bound)
{
    uint32_t any = 0;

    for (unsigned i = 0; i < 256; i++) any |= reaches(p->c[i], bound);
    return any;
}

/* Power2Round, algorithm 35: x in [0, q) is r1 2^13 + r0 with -2^12 < r0 <= 2^12. */
static inline int32_t power_round(int32_t *r0, int32_t x)
{
    const int32_t r1 = (x + (1 << 12) - 1) >> 13;

    *r0 = x - (r1 << 13);
    return r1;
}

/* Decompose, algorithm 36, of x in [0, q).  x is r1 2 gamma2 + r0 modulo q, and r1 < (q - 1)/(2 gamma2).
 * 2 gamma2 is a multiple of 2^8; the quotient by the rest is a product with 2^26 divided by it, rounded
 * up, which is exact as long as numerator times rest is below 2^26, and below 2^32. */
static inline int32_t decompose(int32_t *r0, int32_t x)
{
    const uint32_t divisor = 2 * DSA_GAMMA2 >> 8;
    const uint32_t numerator = (uint32_t)(x + DSA_GAMMA2 - 1) >> 8;
    int32_t r1 = (int32_t)(numerator * (((1u << 26) + divisor - 1) / divisor) >> 26);

    r1 &= (r1 - (Q - 1) / (2 * DSA_GAMMA2)) >> 31; /* the last class is part of the first */
    x -= r1 * (2 * DSA_GAMMA2);
    *r0 = x - (Q & ((Q / 2 - x) >> 31));
    return r1;
}

/* HighBits, algorithm 37. */
static inline int32_t high_bits(int32_t x)
{
    int32_t r0;

    return decompose(&r0, x);
}

#endif
