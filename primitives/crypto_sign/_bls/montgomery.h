/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef MONTGOMERY_H
#define MONTGOMERY_H

/* Montgomery's multiplication modulo an odd p, R = 2^FIELD_BITS, in constant time.
 * Defined before:
 *
 *   LIMB_BITS                    32 or 64
 *   FIELD_BITS                   those of all limbs: two more than those of p, at least
 *   FIELD_BYTES                  of p
 *   FIELD_P, FIELD_2P, FIELD_R2  p, 2p and R^2 modulo p, lowest limb first
 *   FIELD_N0                     -1/p modulo 2^LIMB_BITS
 *   FIELD_OPERATIONS             a header with another fp_add, fp_sub and fp_mul, if any;
 *                                fp_mul(r, a, b) for any b below R where a < p
 *   FIELD_FUNCTION               what functions are that are long for many limbs
 *
 * All numbers stay below 2p.  Sums of products can be reduced at once: the result of
 * a sum S is below S/R + p, which must not exceed 2p. */

#if LIMB_BITS == 64
typedef uint64_t limb;
typedef unsigned __int128 limbs2;
#else
typedef uint32_t limb;
typedef uint64_t limbs2;
#endif

#define LIMBS (FIELD_BITS / LIMB_BITS)

typedef struct {
    limb w[LIMBS];
} fp;

static const limb field_p[LIMBS] = FIELD_P;
static const limb field_2p[LIMBS] = FIELD_2P;
/* Times this, a number becomes its Montgomery form. */
static const fp field_r2 = {FIELD_R2};

/* r = a - b; the borrow as 0 or all ones */
static inline limb limbs_subtract(limb r[LIMBS], const limb a[LIMBS],
                                  const limb b[LIMBS])
{
    limb borrow = 0;

#pragma GCC unroll 12
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

#pragma GCC unroll 12
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

#pragma GCC unroll 12
    for (int i = 0; i < LIMBS; i++) {
        limb carry = 0;
#pragma GCC unroll 12
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

#pragma GCC unroll 12
    for (int i = 0; i < LIMBS; i++) {
        limb m = t[i] * FIELD_N0, carry = 0;
#pragma GCC unroll 12
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

#ifdef FIELD_OPERATIONS
static const limb field_n0 = FIELD_N0;
#include FIELD_OPERATIONS
#else

#ifndef FIELD_FUNCTION
#define FIELD_FUNCTION static inline
#endif

FIELD_FUNCTION void fp_sub(fp *r, const fp *a, const fp *b)
{
    limb t[LIMBS], borrow = limbs_subtract(t, a->w, b->w);

    limbs_add_masked(r->w, t, field_2p, borrow);
}

FIELD_FUNCTION void fp_add(fp *r, const fp *a, const fp *b)
{
    limb t[LIMBS], borrow;

    limbs_add_masked(t, a->w, b->w, ~(limb)0);
    borrow = limbs_subtract(t, t, field_2p);
    limbs_add_masked(r->w, t, field_2p, borrow);
}

FIELD_FUNCTION void fp_mul(fp *r, const fp *a, const fp *b)
{
    limb t[2 * LIMBS] = {0};

    limbs_multiply_add(t, a->w, b->w);
    limbs_reduce(r, t);
}

#endif

static void fp_get(fp *r, const uint8_t bytes[FIELD_BITS / 8])
{
    for (int i = 0; i < LIMBS; i++) {
        r->w[i] = 0;
        for (int j = 0; j < LIMB_BITS / 8; j++)
            r->w[i] |= (limb)bytes[FIELD_BITS / 8 - 1 - LIMB_BITS / 8 * i - j] << 8 * j;
    }
    fp_mul(r, &field_r2, r); /* r < R: the sum is below R p */
}

static void fp_put(uint8_t bytes[FIELD_BYTES], const fp *a)
{
    limb t[2 * LIMBS] = {0};
    fp x;

    memcpy(t, a->w, sizeof a->w);
    limbs_reduce(&x, t); /* below 1 + p: p is not reached but by 0 */
    limb borrow = limbs_subtract(t, x.w, field_p);
    limbs_add_masked(x.w, t, field_p, borrow);
    for (int i = 0; i < FIELD_BYTES; i++)
        bytes[FIELD_BYTES - 1 - i] =
            (uint8_t)(x.w[i / (LIMB_BITS / 8)] >> 8 * (i % (LIMB_BITS / 8)));
}

#endif
