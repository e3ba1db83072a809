/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BLS12381_FP2_H
#define BLS12381_FP2_H

/* F_p2 = F_p[i]/(i^2 + 1); xi = 1 + i is neither a square nor a cube in it. */

typedef struct {
    fp c[2]; /* c[0] + c[1] i */
} fp2;

static inline void fp2_add(fp2 *r, const fp2 *x, const fp2 *y)
{
    for (int k = 0; k < 2; k++) fp_add(&r->c[k], &x->c[k], &y->c[k]);
}

static inline void fp2_sub(fp2 *r, const fp2 *x, const fp2 *y)
{
    for (int k = 0; k < 2; k++) fp_sub(&r->c[k], &x->c[k], &y->c[k]);
}

static inline void fp2_double(fp2 *r, const fp2 *x)
{
    fp2_add(r, x, x);
}

static inline void fp2_triple(fp2 *r, const fp2 *x)
{
    fp2 t;

    fp2_add(&t, x, x);
    fp2_add(r, &t, x);
}

static inline void fp2_negate(fp2 *r, const fp2 *x)
{
    for (int k = 0; k < 2; k++) fp_negate(&r->c[k], &x->c[k]);
}

static inline void fp2_negate_if(fp2 *r, int minus)
{
    for (int k = 0; k < 2; k++) fp_negate_if(&r->c[k], minus);
}

static inline void fp2_select(fp2 *r, const fp2 *x, limb mask)
{
    for (int k = 0; k < 2; k++) fp_select(&r->c[k], &x->c[k], mask);
}

static inline void fp2_conjugate(fp2 *r, const fp2 *x)
{
    r->c[0] = x->c[0];
    fp_negate(&r->c[1], &x->c[1]);
}

static inline void fp2_scale(fp2 *r, const fp2 *x, const fp *s)
{
    for (int k = 0; k < 2; k++) fp_mul(&r->c[k], &x->c[k], s);
}

static inline void fp2_set(fp2 *r, unsigned x0, unsigned x1)
{
    fp_set(&r->c[0], x0);
    fp_set(&r->c[1], x1);
}

static void fp2_mul(fp2 *r, const fp2 *x, const fp2 *y)
{
    const fp2 a = *x;
    fp b[3] = {y->c[1], y->c[0]};

    fp_negate(&b[2], &y->c[1]);
    fp_sum2(&r->c[0], a.c, b + 1);
    fp_sum2(&r->c[1], a.c, b);
}

static void fp2_square(fp2 *r, const fp2 *x)
{
    fp s, d, t;

    fp_add(&s, &x->c[0], &x->c[1]);
    fp_sub(&d, &x->c[0], &x->c[1]);
    fp_double(&t, &x->c[0]);
    fp_mul(&r->c[1], &t, &x->c[1]);
    fp_mul(&r->c[0], &s, &d);
}

static inline void fp2_times_xi(fp2 *r, const fp2 *x)
{
    fp t;

    fp_sub(&t, &x->c[0], &x->c[1]);
    fp_add(&r->c[1], &x->c[0], &x->c[1]);
    r->c[0] = t;
}

static inline int fp2_is_zero(const fp2 *x)
{
    return fp_is_zero(&x->c[0]) & fp_is_zero(&x->c[1]);
}

static inline int fp2_equal(const fp2 *x, const fp2 *y)
{
    return fp_equal(&x->c[0], &y->c[0]) & fp_equal(&x->c[1], &y->c[1]);
}

/* x0^2 + x1^2 */
static inline void fp2_norm(fp *r, const fp2 *x)
{
    fp_sum2(r, x->c, x->c);
}

/* 0 for 0 */
static void fp2_invert(fp2 *r, const fp2 *x)
{
    fp n;

    fp2_norm(&n, x);
    fp_invert(&n, &n);
    fp2_conjugate(r, x);
    fp2_scale(r, r, &n);
}

/* Whether x = y + z i with y, or with z if y = 0, odd (RFC 9380, 4.1). */
static inline int fp2_is_odd(const fp2 *x)
{
    return fp_is_odd(&x->c[0]) | (fp_is_zero(&x->c[0]) & fp_is_odd(&x->c[1]));
}

/* Whether x is the greater of x and -x, i before 1. */
static inline int fp2_is_large(const fp2 *x)
{
    return fp_is_large(&x->c[1]) | (fp_is_zero(&x->c[1]) & fp_is_large(&x->c[0]));
}

/* A root of x = x0 + x1 i, which has one, from a root s of its norm; time depends on x.
 *
 * (y + x1/(2y) i)^2 = x where y^2 = (x0 + s)/2 =: t.  From 4t comes h with
 * h^2 = 1/(4t), and y = 2t h; or, if t is no square, h with h^2 = -1/(4t), and z = 2t h
 * has z^2 = -t = (x1/2)^2 / ((x0 - s)/2): then -x1 h + z i is the root. */
static void fp2_root_by_norm(fp2 *r, const fp2 *x, const fp *s)
{
    fp t2, h, y, yy, x1 = x->c[1];

    fp_add(&t2, &x->c[0], s);
    if (fp_is_zero(&t2)) fp_sub(&t2, &x->c[0], s); /* x1 = 0, and -s is a root as well */
    fp_double(&h, &t2);
    fp_inverse_root(&h, &h);
    fp_mul(&y, &t2, &h);
    fp_mul(&x1, &x1, &h);
    fp_mul(&yy, &y, &y);
    fp_double(&yy, &yy);
    const int other = !fp_equal(&yy, &t2);
    r->c[other] = y;
    r->c[!other] = x1;
    if (other) fp_negate(&r->c[0], &x1);
}

/* -1 when x has no square root; time depends on x. */
static int fp2_root(fp2 *r, const fp2 *x)
{
    fp s;

    fp2_norm(&s, x);
    if (fp_root(&s, &s)) return -1;
    fp2_root_by_norm(r, x, &s);
    return 0;
}

#endif
