/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BLS12381_FIELD_H
#define BLS12381_FIELD_H

/* F_p of BLS12-381 in 384 bits, Montgomery's way.  LIMB_BITS, defined before, is 32
 * or 64; FIELD_X86, defined before, takes the instructions of field_x86.h.
 *
 * p < 0.102 R: a sum of two products of numbers below 2p is below 8 p^2, and
 * 8 p^2 / R + p < 2p. */

#if LIMB_BITS == 64
#define LIMBS_384(a, b, c, d, e, f)                                            \
    {UINT64_C(f), UINT64_C(e), UINT64_C(d), UINT64_C(c), UINT64_C(b), UINT64_C(a)}
#define FIELD_N0 UINT64_C(0x89f3fffcfffcfffd)
#else
#define LIMBS_64(a) (uint32_t)UINT64_C(a), (uint32_t)(UINT64_C(a) >> 32)
#define LIMBS_384(a, b, c, d, e, f)                                            \
    {LIMBS_64(f), LIMBS_64(e), LIMBS_64(d), LIMBS_64(c), LIMBS_64(b), LIMBS_64(a)}
#define FIELD_N0 UINT32_C(0xfffcfffd)
#endif

#define FIELD_BITS 384
#define FIELD_BYTES 48
#define FIELD_P                                                                \
    LIMBS_384(0x1a0111ea397fe69a, 0x4b1ba7b6434bacd7, 0x64774b84f38512bf,      \
              0x6730d2a0f6b0f624, 0x1eabfffeb153ffff, 0xb9feffffffffaaab)
#define FIELD_2P                                                               \
    LIMBS_384(0x340223d472ffcd34, 0x96374f6c869759ae, 0xc8ee9709e70a257e,      \
              0xce61a541ed61ec48, 0x3d57fffd62a7ffff, 0x73fdffffffff5556)
#define FIELD_R2                                                               \
    LIMBS_384(0x11988fe592cae3aa, 0x9a793e85b519952d, 0x67eb88a9939d83c0,      \
              0x8de5476c4c95b6d5, 0x0a76e6a609d104f1, 0xf4df1f341c341746)
#define FIELD_FUNCTION static __attribute__((noinline))
#ifdef FIELD_X86
#define FIELD_OPERATIONS "../_bls12381/field_x86.h"
#endif
#include "../_bls/montgomery.h"

#ifndef FIELD_X86

/* r = a[0] b[0] + a[1] b[1] */
FIELD_FUNCTION void fp_sum2(fp *r, const fp a[2], const fp b[2])
{
    limb t[2 * LIMBS] = {0};

    limbs_multiply_add(t, a[0].w, b[0].w);
    limbs_multiply_add(t, a[1].w, b[1].w);
    limbs_reduce(r, t);
}

#endif

/* Montgomery's form of a number that is written as it is. */
static inline void fp_from(fp *r, const fp *number)
{
    fp_mul(r, number, &field_r2);
}

static inline void fp_set(fp *r, unsigned x)
{
    const fp number = {{x}};

    fp_from(r, &number);
}

static inline void fp_double(fp *r, const fp *a)
{
    fp_add(r, a, a);
}

static inline void fp_negate(fp *r, const fp *a)
{
    const fp zero = {{0}};

    fp_sub(r, &zero, a);
}

/* r = a where mask is all ones, r as it is where mask is 0 */
static inline void fp_select(fp *r, const fp *a, limb mask)
{
    for (int i = 0; i < LIMBS; i++) r->w[i] ^= (r->w[i] ^ a->w[i]) & mask;
}

static inline void fp_negate_if(fp *r, int minus)
{
    fp t;

    fp_negate(&t, r);
    fp_select(r, &t, (limb)0 - (limb)minus);
}

static inline int fp_is_zero(const fp *a)
{
    uint8_t bytes[48];
    unsigned any = 0;

    fp_put(bytes, a);
    for (int i = 0; i < 48; i++) any |= bytes[i];
    return (int)((any - 1) >> 8 & 1);
}

static inline int fp_equal(const fp *a, const fp *b)
{
    fp t;

    fp_sub(&t, a, b);
    return fp_is_zero(&t);
}

static inline int fp_is_odd(const fp *a)
{
    uint8_t bytes[48];

    fp_put(bytes, a);
    return bytes[47] & 1;
}

/* Whether a > (p - 1)/2: then 2a - p, which is odd, is what is left of 2a. */
static inline int fp_is_large(const fp *a)
{
    fp t;

    fp_double(&t, a);
    return fp_is_odd(&t);
}

/* r = a^((p - 3)/4), four bits of the exponent at a time: 1/root(a), up to its sign,
 * if a is a square, and 1/root(-a) if not, as -1 is none. */
static void fp_inverse_root(fp *r, const fp *a)
{
    static const uint8_t e[48] = {
        0x06, 0x80, 0x44, 0x7a, 0x8e, 0x5f, 0xf9, 0xa6, 0x92, 0xc6, 0xe9, 0xed,
        0x90, 0xd2, 0xeb, 0x35, 0xd9, 0x1d, 0xd2, 0xe1, 0x3c, 0xe1, 0x44, 0xaf,
        0xd9, 0xcc, 0x34, 0xa8, 0x3d, 0xac, 0x3d, 0x89, 0x07, 0xaa, 0xff, 0xff,
        0xac, 0x54, 0xff, 0xff, 0xee, 0x7f, 0xbf, 0xff, 0xff, 0xff, 0xea, 0xaa};
    fp table[16], x;

    table[1] = *a;
    for (int i = 2; i < 16; i++) fp_mul(&table[i], &table[i - 1], a);
    x = table[e[0]];
    for (int i = 2; i < 96; i++) {
        int digit = e[i / 2] >> 4 * (1 - i % 2) & 15;
        for (int j = 0; j < 4; j++) fp_mul(&x, &x, &x);
        if (digit) fp_mul(&x, &x, &table[digit]);
    }
    *r = x;
}

/* a^(p - 2) = (a^((p - 3)/4))^4 a; 0 for 0 */
static inline void fp_invert(fp *r, const fp *a)
{
    fp t;

    fp_inverse_root(&t, a);
    fp_mul(&t, &t, &t);
    fp_mul(&t, &t, &t);
    fp_mul(r, &t, a);
}

/* -1 when a has no square root: then r is one of -a. */
static inline int fp_root(fp *r, const fp *a)
{
    fp t, x = *a;

    fp_inverse_root(&t, &x);
    fp_mul(r, &t, &x);
    fp_mul(&t, r, r);
    return fp_equal(&t, &x) ? 0 : -1;
}

#endif
