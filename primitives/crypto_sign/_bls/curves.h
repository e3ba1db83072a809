/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BLS_CURVES_H
#define BLS_CURVES_H

/* E:  y^2 = x^3 - 3x + B over F_p, of order 2q, q prime (Scott's MNT curve);
 * E': y^2 = x^3 - 12x + 8B over F_p3, its twist in F_p6. */

static const uint8_t group_order[20] = {0x3e, 0xee, 0x53, 0x09, 0xd1, 0x71, 0xee,
                                        0xd8, 0xba, 0x4e, 0x12, 0xde, 0xf4, 0x44,
                                        0x14, 0xfd, 0x17, 0xd3, 0x69, 0xb7};

/* The non-adjacent form of k > 0: digits -1, 0, 1 of 2^0, 2^1, ...; answers the
 * place of the last, which is 1. */
static int digits_of(signed char digit[161], const uint8_t k[20])
{
    int carry = 0, last = 0;

    for (int n = 0; n <= 160; n++) {
        int here = n < 160 ? k[19 - n / 8] >> n % 8 & 1 : 0;
        int next = n < 159 ? k[19 - (n + 1) / 8] >> (n + 1) % 8 & 1 : 0;
        int sum = here + carry;
        digit[n] = (signed char)(sum == 1 ? (next ? -1 : 1) : 0);
        carry = sum == 2 || (sum == 1 && next);
        if (digit[n]) last = n;
    }
    return last;
}

#define POINT(name) e1_##name
#define POINT_A -3
#define FIELD(name) fp_##name
#define FIELD_TYPE fp
#include "point.h"

#define POINT(name) e3_##name
#define POINT_A -12
#define FIELD(name) fp3_##name
#define FIELD_TYPE fp3
#include "point.h"

static void curve_b(fp *b)
{
    static const uint8_t bytes[20] = {0x21, 0xc3, 0xf3, 0xac, 0x78, 0x64, 0xd1,
                                      0xf1, 0xf9, 0x92, 0x73, 0xd0, 0xf8, 0x28,
                                      0xd3, 0x65, 0x7d, 0x8c, 0xfd, 0x4e};

    fp_get20(b, bytes);
}

/* x^3 - 3x + B */
static void e1_right_side(fp *r, const fp *x)
{
    fp b, t;

    curve_b(&b);
    fp_mul(&t, x, x);
    fp_mul(&t, &t, x);
    for (int i = 0; i < 3; i++) fp_sub(&t, &t, x);
    fp_add(r, &t, &b);
}

static int e3_is_on_curve(const e3_affine *p)
{
    fp3 l, r, t;
    fp b;

    fp3_mul(&l, &p->y, &p->y);
    fp3_mul(&r, &p->x, &p->x);
    fp3_mul(&r, &r, &p->x);
    fp3_double(&t, &p->x);
    fp3_add(&t, &t, &p->x);
    fp3_double(&t, &t);
    fp3_double(&t, &t);
    fp3_sub(&r, &r, &t);
    curve_b(&b);
    for (int i = 0; i < 3; i++) fp_double(&b, &b);
    fp_add(&r.c[0], &r.c[0], &b);
    fp3_sub(&l, &l, &r);
    return fp3_is_zero(&l);
}

/* The point of E' of which public keys are multiples. */
static void e3_base(e3_affine *p)
{
    static const uint8_t x1[20] = {0x11, 0xce, 0x46, 0x86, 0xd2, 0xb3, 0xf3,
                                   0xe1, 0xa2, 0x22, 0x1d, 0x13, 0x24, 0x38,
                                   0xec, 0xea, 0xc7, 0x8f, 0xaa, 0xa9};
    static const uint8_t y[3][20] = {
        {0x49, 0x2c, 0xcd, 0x8b, 0x6f, 0x24, 0x3c, 0xc2, 0xd8, 0x97,
         0xbc, 0x82, 0x7e, 0x4c, 0x00, 0x6d, 0xaa, 0x6d, 0x67, 0x26},
        {0x3a, 0x46, 0xa0, 0xa5, 0xa5, 0xe0, 0x98, 0x74, 0xb0, 0x56,
         0x7c, 0x36, 0x86, 0x3e, 0x18, 0xb2, 0x26, 0xd4, 0xb6, 0x12},
        {0x46, 0x48, 0x04, 0x54, 0xec, 0x71, 0xb7, 0x11, 0x1d, 0x66,
         0x50, 0xfe, 0x5c, 0x87, 0xd8, 0x8c, 0x30, 0xb0, 0xdf, 0x20}};

    memset(p, 0, sizeof *p);
    fp_get20(&p->x.c[1], x1);
    for (int k = 0; k < 3; k++) fp_get20(&p->y.c[k], y[k]);
}

#endif
