/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BLS_TOWER_H
#define BLS_TOWER_H

/* F_p3 = F_p[i]/(i^3 - 2) and F_p6 = F_p3[w]/(w^2 - i), so that w^6 = 2. */

typedef struct {
    fp c[3]; /* c[0] + c[1] i + c[2] i^2 */
} fp3;

typedef struct {
    fp3 a, b; /* a + b w */
} fp6;

static inline void fp3_add(fp3 *r, const fp3 *x, const fp3 *y)
{
    for (int k = 0; k < 3; k++) fp_add(&r->c[k], &x->c[k], &y->c[k]);
}

static inline void fp3_sub(fp3 *r, const fp3 *x, const fp3 *y)
{
    for (int k = 0; k < 3; k++) fp_sub(&r->c[k], &x->c[k], &y->c[k]);
}

static inline void fp3_double(fp3 *r, const fp3 *x)
{
    fp3_add(r, x, x);
}

static inline void fp3_scale(fp3 *r, const fp3 *x, const fp *s)
{
    for (int k = 0; k < 3; k++) fp_mul(&r->c[k], &x->c[k], s);
}

static void fp3_mul(fp3 *r, const fp3 *x, const fp3 *y)
{
    const fp3 a = *x;
    fp b[5] = {y->c[2], y->c[1], y->c[0]}; /* then 2 y2 and 2 y1, as i^3 = 2 */

    fp_double(&b[3], &b[0]);
    fp_double(&b[4], &b[1]);
    fp_sum3(&r->c[0], a.c, b + 2);
    fp_sum3(&r->c[1], a.c, b + 1);
    fp_sum3(&r->c[2], a.c, b);
}

/* r = i x */
static inline void fp3_times_i(fp3 *r, const fp3 *x)
{
    fp top = x->c[2];

    r->c[2] = x->c[1];
    r->c[1] = x->c[0];
    fp_double(&r->c[0], &top);
}

static inline int fp3_is_zero(const fp3 *x)
{
    return fp_is_zero(&x->c[0]) && fp_is_zero(&x->c[1]) && fp_is_zero(&x->c[2]);
}

/* With d0, d1, d2 for which (x0 + x1 i + x2 i^2)(d0 + d1 i + d2 i^2) is in F_p. */
static void fp3_invert(fp3 *r, const fp3 *x)
{
    const fp *a = x->c;
    fp3 d;
    fp t, b1, b2;
    fp3 norm;

    fp_double(&b1, &a[1]);
    fp_double(&b2, &a[2]);
    fp_mul(&d.c[0], &a[0], &a[0]); /* x0^2 - 2 x1 x2 */
    fp_mul(&t, &b1, &a[2]);
    fp_sub(&d.c[0], &d.c[0], &t);
    fp_mul(&d.c[1], &b2, &a[2]); /* 2 x2^2 - x0 x1 */
    fp_mul(&t, &a[0], &a[1]);
    fp_sub(&d.c[1], &d.c[1], &t);
    fp_mul(&d.c[2], &a[1], &a[1]); /* x1^2 - x0 x2 */
    fp_mul(&t, &a[0], &a[2]);
    fp_sub(&d.c[2], &d.c[2], &t);
    fp3_mul(&norm, x, &d);
    fp_invert(&t, &norm.c[0]);
    fp3_scale(r, &d, &t);
}

static void fp6_mul(fp6 *r, const fp6 *x, const fp6 *y)
{
    fp3 aa, bb, s, t;

    fp3_mul(&aa, &x->a, &y->a);
    fp3_mul(&bb, &x->b, &y->b);
    fp3_add(&s, &x->a, &x->b);
    fp3_add(&t, &y->a, &y->b);
    fp3_mul(&s, &s, &t);
    fp3_sub(&s, &s, &aa);
    fp3_sub(&r->b, &s, &bb);
    fp3_times_i(&bb, &bb);
    fp3_add(&r->a, &aa, &bb);
}

/* (a + b)(a + i b) = a^2 + i b^2 + (1 + i) a b */
static void fp6_square(fp6 *r, const fp6 *x)
{
    fp3 s, t, ab;

    fp3_mul(&ab, &x->a, &x->b);
    fp3_add(&s, &x->a, &x->b);
    fp3_times_i(&t, &x->b);
    fp3_add(&t, &t, &x->a);
    fp3_mul(&s, &s, &t);
    fp3_sub(&s, &s, &ab);
    fp3_times_i(&t, &ab);
    fp3_sub(&r->a, &s, &t);
    fp3_double(&r->b, &ab);
}

/* r = x^p: w^p = gamma w with gamma = 2^((p-1)/6), so w^k gets gamma^k. */
static void fp6_frobenius(fp6 *r, const fp6 *x)
{
    static const uint8_t bytes[20] = {
        0x3a, 0xa6, 0xd7, 0xa2, 0x9e, 0xa2, 0xb8, 0xf4, 0x59, 0x13,
        0xfc, 0xf1, 0x24, 0xc6, 0xf8, 0xb9, 0xa9, 0x2d, 0xb5, 0x40};
    fp gamma, power;

    fp_get20(&gamma, bytes);
    power = gamma;
    r->a.c[0] = x->a.c[0];
    for (int k = 1; k < 6; k++) {
        const fp *from = k % 2 ? &x->b.c[k / 2] : &x->a.c[k / 2];
        fp_mul(k % 2 ? &r->b.c[k / 2] : &r->a.c[k / 2], from, &power);
        fp_mul(&power, &power, &gamma);
    }
}

#endif
