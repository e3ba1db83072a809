/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SURF127EPS_FIELD64_H
#define SURF127EPS_FIELD64_H

/* The field of p = 2^127 - 735 elements in 128 bits; any 128-bit number stands
 * for its residue, so only the places say how far it is reduced: a product is
 * below 2^127 + 2^23.  No branch and no index depends on a value. */

#include <stdint.h>

#include "../../_shared/bytes.h"

typedef unsigned __int128 fe;

#define FE_WORDS(low, high) ((fe)(high) << 64 | (low))
#define FE(a, b, c, d)                                                         \
    FE_WORDS((uint64_t)(b) << 32 | (a), (uint64_t)(d) << 32 | (c))

#define FE_LOW127 FE_WORDS(UINT64_MAX, UINT64_MAX >> 1)
#define FE_P (FE_LOW127 - 734)

/* Of two products: below 2^128, and the folded 1470 cannot carry again. */
static inline fe fe_add_products(fe a, fe b)
{
    fe r;
    uint64_t carry = __builtin_add_overflow(a, b, &r);
    return r + (1470 & (0 - carry));
}

static inline fe fe_sub_products(fe a, fe b)
{
    fe r;
    uint64_t borrow = __builtin_sub_overflow(a, b, &r);
    return r - (1470 & (0 - borrow));
}

/* Of any two 128-bit numbers. */
static inline fe fe_add(fe a, fe b)
{
    fe r;
    uint64_t carry = __builtin_add_overflow(a, b, &r);
    carry = __builtin_add_overflow(r, (fe)(1470 & (0 - carry)), &r);
    return r + (1470 & (0 - carry));
}

static inline fe fe_sub(fe a, fe b)
{
    fe r;
    uint64_t borrow = __builtin_sub_overflow(a, b, &r);
    borrow = __builtin_sub_overflow(r, (fe)(1470 & (0 - borrow)), &r);
    return r - (1470 & (0 - borrow));
}

/* high 2^128 + low, reduced to below 2^127 + 2^23. */
static inline fe fe_fold(fe high, fe low)
{
    fe t0 = (fe)(uint64_t)high * 1470 + (uint64_t)low; /* 2^128 = 1470 */
    fe t1 = (fe)(uint64_t)(high >> 64) * 1470 + (uint64_t)(low >> 64) +
            (uint64_t)(t0 >> 64);
    uint64_t top = (uint64_t)(t1 >> 63); /* 2^127 = 735 */
    return FE_WORDS((uint64_t)t0, (uint64_t)t1 & (UINT64_MAX >> 1)) + top * 735;
}

static inline fe fe_mul(fe a, fe b)
{
    uint64_t a0 = (uint64_t)a, a1 = (uint64_t)(a >> 64);
    uint64_t b0 = (uint64_t)b, b1 = (uint64_t)(b >> 64);
    fe low = (fe)a0 * b0, high = (fe)a1 * b1;
    /* A product of words and two more words fit 128 bits. */
    fe cross = (fe)a0 * b1 + (uint64_t)(low >> 64);
    fe other = (fe)a1 * b0 + (uint64_t)cross;
    high += (fe)(uint64_t)(cross >> 64) + (uint64_t)(other >> 64);
    return fe_fold(high, FE_WORDS((uint64_t)low, (uint64_t)other));
}

static inline fe fe_sq(fe a)
{
    uint64_t a0 = (uint64_t)a, a1 = (uint64_t)(a >> 64);
    fe low = (fe)a0 * a0, high = (fe)a1 * a1, cross = (fe)a0 * a1;
    fe middle = (fe)(uint64_t)(cross << 1) + (uint64_t)(low >> 64);
    high += (cross >> 63) + (uint64_t)(middle >> 64);
    return fe_fold(high, FE_WORDS((uint64_t)low, (uint64_t)middle));
}

/* The least representative of any 128-bit number. */
static inline fe fe_freeze(fe a)
{
    fe beyond;
    a = (a & FE_LOW127) + 735 * (uint64_t)(a >> 127); /* below 2p */
    beyond = 0 - ((a + 735) >> 127);
    return (a & ~beyond) | ((a + 735) & FE_LOW127 & beyond);
}

static inline void fe_tobytes(unsigned char *out, fe a)
{
    a = fe_freeze(a);
    store_le64(out, (uint64_t)a);
    store_le64(out + 8, (uint64_t)(a >> 64));
}

static inline int fe_iszero(fe a)
{
    return fe_freeze(a) == 0;
}

/* 0, or -1 where the sixteen bytes are no integer below p. */
static inline int fe_frombytes(fe *a, const unsigned char *in)
{
    *a = FE_WORDS(load_le64(in), load_le64(in + 8));
    return fe_freeze(*a) == *a ? 0 : -1;
}

/* a <-> b where swap is 1. */
static inline void fe_cswap(fe *a, fe *b, unsigned swap)
{
    uint64_t mask = 0 - (uint64_t)swap;
    fe d = (*a ^ *b) & FE_WORDS(mask, mask);
    *a ^= d;
    *b ^= d;
}

#endif
