/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BLS12381_PAIRING_H
#define BLS12381_PAIRING_H

/* Products of optimal ate pairings of G1 and G2 (Vercauteren, Optimal pairings, 2010):
 * f_x,Q(P)^((p^12 - 1)/q) with x = -0xd201000000010000.  All is public.
 *
 * (x, y) of E' is (x/w^2, y/w^3) of E.  The line of slope s through (x, y) of E', at
 * (xP, yP) of E and times w^3, which the last power makes 1, is
 * (s x - y) - s xP w^2 + yP w^3.  Factors in F_p2 vanish as well. */

struct miller {
    g1_affine p;
    g2_affine q;
    g2_projective t;
};

static void times_line(fp12 *f, const struct miller *m, const fp2 *l0, const fp2 *l2,
                       const fp2 *l3)
{
    fp2 at_x, at_y;

    fp2_scale(&at_x, l2, &m->p.x);
    fp2_scale(&at_y, l3, &m->p.y);
    fp12_mul_line(f, f, l0, &at_x, &at_y);
}

/* T = 2T and the tangent at T, times 2YZ:
 * Y^2 - 3b'Z^2, -3X^2, 2YZ  (Costello, Lange, Naehrig, PKC 2010, section 5) */
static void miller_double(fp12 *f, struct miller *m)
{
    fp2 xx, b, c, e, h, s, xy2, l0, l2, *x = &m->t.x, *y = &m->t.y, *z = &m->t.z;

    fp2_square(&xx, x);
    fp2_square(&b, y);
    fp2_square(&c, z);
    fp2_add(&h, y, z); /* H = 2YZ */
    fp2_square(&h, &h);
    fp2_sub(&h, &h, &b);
    fp2_sub(&h, &h, &c);
    fp2_add(&xy2, x, y);
    fp2_square(&xy2, &xy2);
    fp2_sub(&xy2, &xy2, &xx);
    fp2_sub(&xy2, &xy2, &b);
    g2_times_3b(&e, &c); /* E = 3 b' Z^2 */
    fp2_sub(&l0, &b, &e);
    fp2_triple(&l2, &xx);
    fp2_negate(&l2, &l2);
    times_line(f, m, &l0, &l2, &h);
    fp2_triple(&s, &e); /* 4 times (X Y (B - 3E)/2, ((B + 3E)/2)^2 - 3 E^2, B H) */
    fp2_sub(&l2, &b, &s);
    fp2_mul(x, &xy2, &l2);
    fp2_add(&s, &s, &b);
    fp2_square(&s, &s);
    fp2_double(&e, &e);
    fp2_square(&e, &e);
    fp2_triple(&e, &e);
    fp2_sub(y, &s, &e);
    fp2_double(&b, &b);
    fp2_double(&b, &b);
    fp2_mul(z, &b, &h);
}

/* T = T + Q and the line through both, times L = X - xQ Z; the slope is S/L,
 * S = Y - yQ Z. */
static void miller_add(fp12 *f, struct miller *m)
{
    fp2 s, l, ss, l2, l3, e, g, h, u, *x = &m->t.x, *y = &m->t.y, *z = &m->t.z;

    fp2_mul(&s, &m->q.y, z);
    fp2_sub(&s, y, &s);
    fp2_mul(&l, &m->q.x, z);
    fp2_sub(&l, x, &l);
    fp2_mul(&u, &s, &m->q.x);
    fp2_mul(&h, &l, &m->q.y);
    fp2_sub(&u, &u, &h);
    fp2_negate(&l2, &s);
    l3 = l;
    times_line(f, m, &u, &l2, &l3);
    fp2_square(&ss, &s);
    fp2_square(&g, &l);
    fp2_mul(&e, &l, &g); /* L^3 */
    fp2_mul(&g, x, &g);  /* X L^2 */
    fp2_mul(&h, z, &ss); /* S^2 Z + L^3 - 2 X L^2 */
    fp2_add(&h, &h, &e);
    fp2_sub(&h, &h, &g);
    fp2_sub(&h, &h, &g);
    fp2_mul(x, &l, &h);
    fp2_sub(&g, &g, &h);
    fp2_mul(&g, &s, &g);
    fp2_mul(&u, &e, y);
    fp2_sub(y, &g, &u);
    fp2_mul(z, z, &e);
}

/* With S = w^3 and F_p4 = F_p2[S]/(S^2 - xi): r = (x + y S)^2 */
static void fp4_square(fp2 r[2], const fp2 *x, const fp2 *y)
{
    fp2 xx, yy;

    fp2_square(&xx, x);
    fp2_square(&yy, y);
    fp2_add(&r[1], x, y);
    fp2_square(&r[1], &r[1]);
    fp2_sub(&r[1], &r[1], &xx);
    fp2_sub(&r[1], &r[1], &yy);
    fp2_times_xi(&yy, &yy);
    fp2_add(&r[0], &xx, &yy);
}

/* r = 3 s - 2 r, or 3 s + 2 r */
static void three_and_two(fp2 *r, const fp2 *s, int plus)
{
    fp2 t;

    if (plus)
        fp2_add(&t, s, r);
    else
        fp2_sub(&t, s, r);
    fp2_double(&t, &t);
    fp2_add(r, &t, s);
}

/* x^2 in the group of order p^4 - p^2 + 1 (Granger, Scott, PKC 2010).  With A, B, C in
 * F_p4 and x = A + B w + C w^2 that is
 * (3 A^2 - 2 A') + (3 S C^2 + 2 B') w + (3 B^2 - 2 C') w^2, ' conjugating S. */
static void cyclotomic_square(fp12 *x)
{
    fp2 aa[2], bb[2], cc[2], t;

    fp4_square(aa, &x->a.c[0], &x->b.c[1]);
    fp4_square(bb, &x->b.c[0], &x->a.c[2]);
    fp4_square(cc, &x->a.c[1], &x->b.c[2]);
    fp2_times_xi(&t, &cc[1]);
    three_and_two(&x->a.c[0], &aa[0], 0);
    three_and_two(&x->b.c[1], &aa[1], 1);
    three_and_two(&x->b.c[0], &t, 1);
    three_and_two(&x->a.c[2], &cc[0], 0);
    three_and_two(&x->a.c[1], &bb[0], 0);
    three_and_two(&x->b.c[2], &bb[1], 1);
}

/* r = f^x in that group */
static void power_x(fp12 *r, const fp12 *f)
{
    fp12 t = *f;

    for (int n = 62; n >= 0; n--) {
        cyclotomic_square(&t);
        if (curve_x >> n & 1) fp12_mul(&t, &t, f);
    }
    fp12_conjugate(r, &t);
}

/* Whether f^((p^12 - 1)/q) = 1, with 3 (p^4 - p^2 + 1)/q = (x - 1)^2 (x + p)(x^2 + p^2 - 1) + 3
 * (Hayashida, Hayasaka, Teruya, ePrint 2020/875); 3 is no divisor of q. */
static int power_is_one(fp12 *f)
{
    fp12 g, h, t;

    fp12_invert(&g, f);
    fp12_conjugate(f, f);
    fp12_mul(f, f, &g); /* ^(p^6 - 1) */
    fp12_frobenius(&g, f);
    fp12_frobenius(&g, &g);
    fp12_mul(f, f, &g); /* ^(p^2 + 1) */
    g = *f;
    for (int k = 0; k < 2; k++) { /* ^(x - 1) */
        power_x(&h, &g);
        fp12_conjugate(&g, &g);
        fp12_mul(&g, &g, &h);
    }
    power_x(&h, &g);
    fp12_frobenius(&g, &g);
    fp12_mul(&g, &g, &h); /* ^(x + p) */
    power_x(&h, &g);
    power_x(&h, &h);
    fp12_conjugate(&t, &g);
    fp12_mul(&h, &h, &t);
    fp12_frobenius(&g, &g);
    fp12_frobenius(&g, &g);
    fp12_mul(&h, &h, &g); /* ^(x^2 + p^2 - 1) */
    fp12_mul(&h, &h, f);
    cyclotomic_square(f);
    fp12_mul(&h, &h, f);
    return fp12_is_one(&h);
}

/* Whether e(p0, q0) e(p1, q1) = 1, for points of order q.  That x is negative inverts
 * both. */
static int pairings_cancel(const g1_affine *p0, const g2_affine *q0, const g1_affine *p1,
                           const g2_affine *q1)
{
    struct miller m[2];
    fp12 f;

    m[0].p = *p0;
    m[0].q = *q0;
    m[1].p = *p1;
    m[1].q = *q1;
    for (int k = 0; k < 2; k++) g2_set(&m[k].t, &m[k].q);
    fp12_one(&f);
    for (int n = 62; n >= 0; n--) {
        fp12_square(&f, &f);
        for (int k = 0; k < 2; k++) miller_double(&f, &m[k]);
        for (int k = 0; k < 2 && curve_x >> n & 1; k++) miller_add(&f, &m[k]);
    }
    return power_is_one(&f);
}

#endif
