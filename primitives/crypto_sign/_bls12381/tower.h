/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BLS12381_TOWER_H
#define BLS12381_TOWER_H

/* F_p6 = F_p2[v]/(v^3 - xi) and F_p12 = F_p6[w]/(w^2 - v), so that w^6 = xi. */

typedef struct {
    fp2 c[3]; /* c[0] + c[1] v + c[2] v^2 */
} fp6;

typedef struct {
    fp6 a, b; /* a + b w */
} fp12;

static inline void fp6_add(fp6 *r, const fp6 *x, const fp6 *y)
{
    for (int k = 0; k < 3; k++) fp2_add(&r->c[k], &x->c[k], &y->c[k]);
}

static inline void fp6_sub(fp6 *r, const fp6 *x, const fp6 *y)
{
    for (int k = 0; k < 3; k++) fp2_sub(&r->c[k], &x->c[k], &y->c[k]);
}

static inline void fp6_negate(fp6 *r, const fp6 *x)
{
    for (int k = 0; k < 3; k++) fp2_negate(&r->c[k], &x->c[k]);
}

/* r = v x */
static inline void fp6_times_v(fp6 *r, const fp6 *x)
{
    fp2 top = x->c[2];

    r->c[2] = x->c[1];
    r->c[1] = x->c[0];
    fp2_times_xi(&r->c[0], &top);
}

/* r = x_i y_j + x_j y_i, the products x_i y_i and x_j y_j being known */
static void fp6_cross(fp2 *r, const fp6 *x, const fp6 *y, int i, int j, const fp2 products[3])
{
    fp2 s, t;

    fp2_add(&s, &x->c[i], &x->c[j]);
    fp2_add(&t, &y->c[i], &y->c[j]);
    fp2_mul(&s, &s, &t);
    fp2_sub(&s, &s, &products[i]);
    fp2_sub(r, &s, &products[j]);
}

static void fp6_mul(fp6 *r, const fp6 *x, const fp6 *y)
{
    fp2 p[3], r0, r1;

    for (int k = 0; k < 3; k++) fp2_mul(&p[k], &x->c[k], &y->c[k]);
    fp6_cross(&r0, x, y, 1, 2, p);
    fp2_times_xi(&r0, &r0);
    fp6_cross(&r1, x, y, 0, 1, p);
    fp6_cross(&r->c[2], x, y, 0, 2, p);
    fp2_add(&r->c[0], &r0, &p[0]);
    fp2_add(&r->c[2], &r->c[2], &p[1]);
    fp2_times_xi(&p[2], &p[2]);
    fp2_add(&r->c[1], &r1, &p[2]);
}

/* r = x (y0 + y1 v) */
static void fp6_mul_two(fp6 *r, const fp6 *x, const fp2 *y0, const fp2 *y1)
{
    fp2 p[2], s, t, top;

    fp2_mul(&p[0], &x->c[0], y0);
    fp2_mul(&p[1], &x->c[1], y1);
    fp2_add(&s, &x->c[0], &x->c[1]);
    fp2_add(&t, y0, y1);
    fp2_mul(&s, &s, &t);
    fp2_sub(&s, &s, &p[0]);
    fp2_mul(&top, &x->c[2], y1);
    fp2_times_xi(&top, &top);
    fp2_mul(&t, &x->c[2], y0);
    fp2_sub(&r->c[1], &s, &p[1]);
    fp2_add(&r->c[0], &p[0], &top);
    fp2_add(&r->c[2], &p[1], &t);
}

/* With d for which x d is in F_p2. */
static void fp6_invert(fp6 *r, const fp6 *x)
{
    const fp2 *a = x->c;
    static const unsigned char square[3] = {0, 2, 1}, one[3] = {1, 0, 0}, other[3] = {2, 1, 2};
    fp6 d, norm;
    fp2 s, t;

    for (int k = 0; k < 3; k++) { /* a0^2 - xi a1 a2, xi a2^2 - a0 a1, a1^2 - a0 a2 */
        fp2_square(&s, &a[square[k]]);
        fp2_mul(&t, &a[one[k]], &a[other[k]]);
        if (k == 0) fp2_times_xi(&t, &t);
        if (k == 1) fp2_times_xi(&s, &s);
        fp2_sub(&d.c[k], &s, &t);
    }
    fp6_mul(&norm, x, &d);
    fp2_invert(&t, &norm.c[0]);
    for (int k = 0; k < 3; k++) fp2_mul(&r->c[k], &d.c[k], &t);
}

static inline void fp12_one(fp12 *r)
{
    memset(r, 0, sizeof *r);
    fp_set(&r->a.c[0].c[0], 1);
}

static int fp12_is_one(const fp12 *x)
{
    fp12 t;
    int all = 1;

    fp12_one(&t);
    fp6_sub(&t.a, &t.a, &x->a);
    for (int k = 0; k < 3; k++) all &= fp2_is_zero(&t.a.c[k]) & fp2_is_zero(&x->b.c[k]);
    return all;
}

/* x^(p^6), which is 1/x in the group of order p^6 + 1 */
static inline void fp12_conjugate(fp12 *r, const fp12 *x)
{
    r->a = x->a;
    fp6_negate(&r->b, &x->b);
}

static void fp12_mul(fp12 *r, const fp12 *x, const fp12 *y)
{
    fp6 aa, bb, s, t;

    fp6_mul(&aa, &x->a, &y->a);
    fp6_mul(&bb, &x->b, &y->b);
    fp6_add(&s, &x->a, &x->b);
    fp6_add(&t, &y->a, &y->b);
    fp6_mul(&s, &s, &t);
    fp6_sub(&s, &s, &aa);
    fp6_sub(&r->b, &s, &bb);
    fp6_times_v(&bb, &bb);
    fp6_add(&r->a, &aa, &bb);
}

/* r = x (l0 + l2 w^2 + l3 w^3), w^2 = v and w^3 = v w */
static void fp12_mul_line(fp12 *r, const fp12 *x, const fp2 *l0, const fp2 *l2, const fp2 *l3)
{
    fp6 aa, bb, s;
    fp2 sum;

    fp6_mul_two(&aa, &x->a, l0, l2);
    for (int k = 0; k < 3; k++) fp2_mul(&bb.c[k], &x->b.c[k], l3);
    fp6_times_v(&bb, &bb);
    fp2_add(&sum, l2, l3);
    fp6_add(&s, &x->a, &x->b);
    fp6_mul_two(&s, &s, l0, &sum);
    fp6_sub(&s, &s, &aa);
    fp6_sub(&r->b, &s, &bb);
    fp6_times_v(&bb, &bb);
    fp6_add(&r->a, &aa, &bb);
}

/* (a + b)(a + v b) = a^2 + v b^2 + (1 + v) a b */
static void fp12_square(fp12 *r, const fp12 *x)
{
    fp6 s, t, ab;

    fp6_mul(&ab, &x->a, &x->b);
    fp6_add(&s, &x->a, &x->b);
    fp6_times_v(&t, &x->b);
    fp6_add(&t, &t, &x->a);
    fp6_mul(&s, &s, &t);
    fp6_sub(&s, &s, &ab);
    fp6_times_v(&t, &ab);
    fp6_sub(&r->a, &s, &t);
    fp6_add(&r->b, &ab, &ab);
}

static void fp12_invert(fp12 *r, const fp12 *x)
{
    fp6 s, t;

    fp6_mul(&s, &x->a, &x->a);
    fp6_mul(&t, &x->b, &x->b);
    fp6_times_v(&t, &t);
    fp6_sub(&s, &s, &t);
    fp6_invert(&s, &s);
    fp6_mul(&r->a, &x->a, &s);
    fp6_negate(&s, &s);
    fp6_mul(&r->b, &x->b, &s);
}

/* r = x^p: w^p = gamma w with gamma = xi^((p-1)/6), so w^k gets gamma^k, and what is
 * before it is conjugated. */
static void fp12_frobenius(fp12 *r, const fp12 *x)
{
    static const fp plain = {
        LIMBS_384(0x1904d3bf02bb0667, 0xc231beb4202c0d1f, 0x0fd603fd3cbd5f4f,
                  0x7b2443d784bab9c4, 0xf67ea53d63e7813d, 0x8d0775ed92235fb8)};
    fp2 gamma, power, t;

    fp_from(&gamma.c[0], &plain); /* gamma = that (1 - i) */
    fp_negate(&gamma.c[1], &gamma.c[0]);
    power = gamma;
    fp2_conjugate(&r->a.c[0], &x->a.c[0]);
    for (int k = 1; k < 6; k++) {
        fp2_conjugate(&t, k % 2 ? &x->b.c[k / 2] : &x->a.c[k / 2]);
        fp2_mul(k % 2 ? &r->b.c[k / 2] : &r->a.c[k / 2], &t, &power);
        fp2_mul(&power, &power, &gamma);
    }
}

#endif
