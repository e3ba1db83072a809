/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BLS_FIELD_GMP_H
#define BLS_FIELD_GMP_H

/* For field.h: F_p in 192 bits on the low-level functions of GMP, which need no
 * memory of their own; numbers below p. */

#include <gmp.h>

#define LIMB_BITS GMP_NUMB_BITS
#define LIMBS (192 / LIMB_BITS)
#define LIMBS_P ((159 + LIMB_BITS - 1) / LIMB_BITS) /* its own, the first not 0 */

typedef struct {
    mp_limb_t w[LIMBS];
} fp;

#if LIMB_BITS == 64
static const mp_limb_t field_p[LIMBS] = {0xBB9F14CF44626303, 0xA2E3DDB1749D0195,
                                         0x7DDCA613};
#else
static const mp_limb_t field_p[LIMBS] = {0x44626303, 0xBB9F14CF, 0x749D0195,
                                         0xA2E3DDB1, 0x7DDCA613, 0};
#endif

static inline void fp_sub(fp *r, const fp *a, const fp *b)
{
    if (mpn_sub_n(r->w, a->w, b->w, LIMBS)) mpn_add_n(r->w, r->w, field_p, LIMBS);
}

static inline void fp_add(fp *r, const fp *a, const fp *b)
{
    mpn_add_n(r->w, a->w, b->w, LIMBS);
    if (mpn_cmp(r->w, field_p, LIMBS) >= 0) mpn_sub_n(r->w, r->w, field_p, LIMBS);
}

static inline void limbs_reduce(fp *r, const mp_limb_t *t, int limbs)
{
    mp_limb_t quotient[2 * LIMBS];

    memset(r, 0, sizeof *r);
    mpn_tdiv_qr(quotient, r->w, 0, t, limbs, field_p, LIMBS_P);
}

static inline void fp_mul(fp *r, const fp *a, const fp *b)
{
    mp_limb_t t[2 * LIMBS];

    mpn_mul_n(t, a->w, b->w, LIMBS);
    limbs_reduce(r, t, 2 * LIMBS);
}

static inline void fp_sum3(fp *r, const fp a[3], const fp b[3])
{
    mp_limb_t t[2 * LIMBS], u[2 * LIMBS];

    mpn_mul_n(t, a[0].w, b[0].w, LIMBS);
    for (int k = 1; k < 3; k++) {
        mpn_mul_n(u, a[k].w, b[k].w, LIMBS);
        mpn_add_n(t, t, u, 2 * LIMBS);
    }
    limbs_reduce(r, t, 2 * LIMBS);
}

static void fp_get(fp *r, const uint8_t bytes[24])
{
    mp_limb_t t[LIMBS] = {0};

    for (int i = 0; i < 24; i++)
        t[i / (LIMB_BITS / 8)] |= (mp_limb_t)bytes[23 - i]
                                  << 8 * (i % (LIMB_BITS / 8));
    limbs_reduce(r, t, LIMBS);
}

static void fp_put(uint8_t bytes[20], const fp *a)
{
    for (int i = 0; i < 20; i++)
        bytes[19 - i] =
            (uint8_t)(a->w[i / (LIMB_BITS / 8)] >> 8 * (i % (LIMB_BITS / 8)));
}

#endif
