/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BLS_FIELD_MONTGOMERY_H
#define BLS_FIELD_MONTGOMERY_H

/* For field.h: F_p in 192 bits, Montgomery's way with R = 2^192.  LIMB_BITS,
 * defined before, is 32 or 64.
 *
 * All numbers stay below 2p, 32 bits below R, so that sums of many products can be
 * reduced at once: the result of a sum S < 2^16 p^2 is S/R + p < 2p.  FIELD_X86,
 * defined before, takes the instructions of field_x86.h. */

#if LIMB_BITS == 64
typedef uint64_t limb;
typedef unsigned __int128 limbs2;
#define LIMBS_192(a, b, c) {UINT64_C(c), UINT64_C(b), UINT64_C(a)}
#define FIELD_N0 UINT64_C(0xdba51cdd90bc6055) /* -1/p modulo 2^64 */
#else
typedef uint32_t limb;
typedef uint64_t limbs2;
#define LIMBS_192(a, b, c)                                                     \
    {(uint32_t)(c), (uint32_t)(UINT64_C(c) >> 32), (uint32_t)UINT64_C(b),      \
     (uint32_t)(UINT64_C(b) >> 32), (uint32_t)(a), (uint32_t)(UINT64_C(a) >> 32)}
#define FIELD_N0 UINT32_C(0x90bc6055)
#endif

#define LIMBS (192 / LIMB_BITS)

typedef struct {
    limb w[LIMBS];
} fp;

static const limb field_p[LIMBS] =
    LIMBS_192(0x7DDCA613, 0xA2E3DDB1749D0195, 0xBB9F14CF44626303);
static const limb field_2p[LIMBS] =
    LIMBS_192(0xFBB94C27, 0x45C7BB62E93A032B, 0x773E299E88C4C606);
/* R^2 modulo p: times this, a number becomes its Montgomery form. */
static const fp field_r2 = {
    LIMBS_192(0x0d2ca526, 0x1f39af53c87b75ab, 0xb645a14677399c24)};

/* r = a - b; the borrow as 0 or all ones */
static inline limb limbs_subtract(limb r[LIMBS], const limb a[LIMBS],
                                  const limb b[LIMBS])
{
    limb borrow = 0;

#pragma GCC unroll 6
    for (int i = 0; i < LIMBS; i++) {
        limbs2 t = (limbs2)a[i] - b[i] - borrow;
        r[i] = (limb)t;
        borrow = (limb)(t >> LIMB_BITS) & 1;
    }
    return (limb)0 - borrow;
}

static inline void limbs_add_masked(limb r[LIMBS], const limb a[LIMBS],
                                    const limb b[LIMBS], limb mask)
{
    limbs2 t = 0;

#pragma GCC unroll 6
    for (int i = 0; i < LIMBS; i++) {
        t += (limbs2)a[i] + (b[i] & mask);
        r[i] = (limb)t;
        t >>= LIMB_BITS;
    }
}

/* t += a b, of 2 LIMBS limbs */
static inline void limbs_multiply_add(limb t[2 * LIMBS], const limb a[LIMBS],
                                      const limb b[LIMBS])
{
    limb over = 0;

#pragma GCC unroll 6
    for (int i = 0; i < LIMBS; i++) {
        limb carry = 0;
#pragma GCC unroll 6
        for (int j = 0; j < LIMBS; j++) {
            limbs2 x = (limbs2)a[j] * b[i] + t[i + j] + carry;
            t[i + j] = (limb)x;
            carry = (limb)(x >> LIMB_BITS);
        }
        limbs2 x = (limbs2)t[i + LIMBS] + carry + over;
        t[i + LIMBS] = (limb)x;
        over = (limb)(x >> LIMB_BITS); /* of the last row: 0, as all fits */
    }
}

/* r = t/R */
static inline void limbs_reduce(fp *r, limb t[2 * LIMBS])
{
    limb over = 0;

#pragma GCC unroll 6
    for (int i = 0; i < LIMBS; i++) {
        limb m = t[i] * FIELD_N0, carry = 0;
#pragma GCC unroll 6
        for (int j = 0; j < LIMBS; j++) {
            limbs2 x = (limbs2)m * field_p[j] + t[i + j] + carry;
            t[i + j] = (limb)x;
            carry = (limb)(x >> LIMB_BITS);
        }
        limbs2 x = (limbs2)t[i + LIMBS] + carry + over;
        t[i + LIMBS] = (limb)x;
        over = (limb)(x >> LIMB_BITS);
    }
    memcpy(r->w, t + LIMBS, sizeof r->w);
}

#ifdef FIELD_X86
static const limb field_n0 = FIELD_N0;
#include "field_x86.h"
#else

static inline void fp_sub(fp *r, const fp *a, const fp *b)
{
    limb t[LIMBS], borrow = limbs_subtract(t, a->w, b->w);

    limbs_add_masked(r->w, t, field_2p, borrow);
}

static inline void fp_add(fp *r, const fp *a, const fp *b)
{
    limb t[LIMBS], borrow;

    limbs_add_masked(t, a->w, b->w, ~(limb)0);
    borrow = limbs_subtract(t, t, field_2p);
    limbs_add_masked(r->w, t, field_2p, borrow);
}

static inline void fp_mul(fp *r, const fp *a, const fp *b)
{
    limb t[2 * LIMBS] = {0};

    limbs_multiply_add(t, a->w, b->w);
    limbs_reduce(r, t);
}

static inline void fp_sum3(fp *r, const fp a[3], const fp b[3])
{
    limb t[2 * LIMBS] = {0};

    for (int k = 0; k < 3; k++) limbs_multiply_add(t, a[k].w, b[k].w);
    limbs_reduce(r, t);
}

#endif

static void fp_get(fp *r, const uint8_t bytes[24])
{
    for (int i = 0; i < LIMBS; i++) {
        r->w[i] = 0;
        for (int j = 0; j < LIMB_BITS / 8; j++)
            r->w[i] |= (limb)bytes[23 - LIMB_BITS / 8 * i - j] << 8 * j;
    }
    fp_mul(r, r, &field_r2); /* r < 2^192: the sum is below 2^192 p */
}

static void fp_put(uint8_t bytes[20], const fp *a)
{
    limb t[2 * LIMBS] = {0};
    fp x;

    memcpy(t, a->w, sizeof a->w);
    limbs_reduce(&x, t); /* below 1 + p: p is not reached but by 0 */
    limb borrow = limbs_subtract(t, x.w, field_p);
    limbs_add_masked(x.w, t, field_p, borrow);
    for (int i = 0; i < 20; i++)
        bytes[19 - i] = (uint8_t)(x.w[i / (LIMB_BITS / 8)] >> 8 * (i % (LIMB_BITS / 8)));
}

#endif
