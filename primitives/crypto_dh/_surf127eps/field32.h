/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SURF127EPS_FIELD32_H
#define SURF127EPS_FIELD32_H

/* The field of p = 2^127 - 735 elements in four 32-bit words, always below p.
 * No branch and no index depends on a value. */

#include <stdint.h>

#include "../../_shared/bytes.h"

typedef struct {
    uint32_t w[4];
} fe;

#define FE(a, b, c, d) {{(a), (b), (c), (d)}}

/* x - p where x >= p: x is below 2p. */
static inline fe fe_below_p(fe x)
{
    /* x + 735 reaches 2^127 exactly when x >= p. */
    uint32_t sum[4], keep;
    uint64_t carry = 735;
    for (int i = 0; i < 4; i++) {
        carry += x.w[i];
        sum[i] = (uint32_t)carry;
        carry >>= 32;
    }
    keep = (sum[3] >> 31) - 1; /* all ones: x was below p */
    sum[3] &= 0x7fffffff;
    for (int i = 0; i < 4; i++) x.w[i] = (x.w[i] & keep) | (sum[i] & ~keep);
    return x;
}

static inline fe fe_add(fe a, fe b)
{
    uint64_t carry = 0;
    for (int i = 0; i < 4; i++) { /* below 2p < 2^128 */
        carry += (uint64_t)a.w[i] + b.w[i];
        a.w[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return fe_below_p(a);
}

static inline fe fe_sub(fe a, fe b)
{
    static const fe p = FE(0xfffffd21, 0xffffffff, 0xffffffff, 0x7fffffff);
    uint64_t carry = 1;
    for (int i = 0; i < 4; i++) { /* a + p - b, and 2^128 that falls away */
        carry += (uint64_t)a.w[i] + p.w[i] + (uint32_t)~b.w[i];
        a.w[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return fe_below_p(a);
}

/* What other fields do faster with products. */
#define fe_add_products fe_add
#define fe_sub_products fe_sub

static inline fe fe_mul(fe a, fe b)
{
    uint32_t t[8] = {0};
    uint64_t carry, top;
    fe r;
    for (int i = 0; i < 4; i++) {
        carry = 0;
        for (int j = 0; j < 4; j++) {
            carry += (uint64_t)a.w[i] * b.w[j] + t[i + j];
            t[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        t[i + 4] = (uint32_t)carry;
    }
    carry = 0;
    for (int i = 0; i < 4; i++) { /* 2^128 = 1470 */
        carry += (uint64_t)t[i + 4] * 1470 + t[i];
        r.w[i] = (uint32_t)carry;
        carry >>= 32;
    }
    top = carry << 1 | r.w[3] >> 31; /* 2^127 = 735 */
    r.w[3] &= 0x7fffffff;
    carry = top * 735;
    for (int i = 0; i < 4; i++) {
        carry += r.w[i];
        r.w[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return fe_below_p(r);
}

static inline fe fe_sq(fe a)
{
    return fe_mul(a, a);
}

static inline void fe_tobytes(unsigned char *out, fe a)
{
    for (int i = 0; i < 4; i++) store_le32(out + 4 * i, a.w[i]);
}

static inline int fe_iszero(fe a)
{
    return (a.w[0] | a.w[1] | a.w[2] | a.w[3]) == 0;
}

/* 0, or -1 where the sixteen bytes are no integer below p. */
static inline int fe_frombytes(fe *a, const unsigned char *in)
{
    fe least;
    uint32_t differs;
    for (int i = 0; i < 4; i++) a->w[i] = load_le32(in + 4 * i);
    least = fe_below_p(*a);
    differs = a->w[3] >> 31;
    for (int i = 0; i < 4; i++) differs |= least.w[i] ^ a->w[i];
    return differs ? -1 : 0;
}

/* a <-> b where swap is 1. */
static inline void fe_cswap(fe *a, fe *b, unsigned swap)
{
    uint32_t mask = 0 - (uint32_t)swap;
    for (int i = 0; i < 4; i++) {
        uint32_t d = mask & (a->w[i] ^ b->w[i]);
        a->w[i] ^= d;
        b->w[i] ^= d;
    }
}

#endif
