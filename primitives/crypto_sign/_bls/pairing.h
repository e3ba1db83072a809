/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BLS_PAIRING_H
#define BLS_PAIRING_H

/* The reduced Tate pairing e(A, B) = f_{q,A}(untwisted B)^((p^6 - 1)/q), A on E of
 * order q, B on E'.  Untwisting: (x, y) -> (x/2, y w^3/4) = (x/2, (i y/4) w).
 *
 * Whatever lies in F_p3 is lost in the power, above all the denominators of the
 * lines.  Lines are therefore taken times whatever suits: four times, above all, so
 * that B is used as 2x and (i y) w. */

/* One side: A, the running multiple of it, and B as lines want it. */
struct miller {
    e1_jacobian t;
    e1_affine a;
    fp minus_y; /* of a */
    fp3 x, y;   /* 2x and i y of B */
};

static void miller_start(struct miller *m, const e1_affine *a, const e3_affine *b)
{
    m->a = *a;
    fp_sign(&m->minus_y, &a->y, 1);
    e1_set(&m->t, a);
    fp3_double(&m->x, &b->x);
    fp3_times_i(&m->y, &b->y);
}

/* f *= 4 constant - slope 2x + height (i y) w */
static void times_line(fp6 *f, const struct miller *m, fp *constant, const fp *slope,
                       const fp *height)
{
    fp6 line;
    fp minus;

    fp_double(constant, constant);
    fp_double(constant, constant);
    fp_sign(&minus, slope, 1);
    fp3_scale(&line.a, &m->x, &minus);
    fp_add(&line.a.c[0], &line.a.c[0], constant);
    fp3_scale(&line.b, &m->y, height);
    fp6_mul(f, f, &line);
}

/* The tangent at T, times 2 Y Z^3:
 * Z3 ZZ y - alpha ZZ x + (alpha X - 2 YY) */
static void miller_double(fp6 *f, struct miller *m)
{
    struct e1_tangent l;
    fp constant, slope, height, x = m->t.x;

    e1_double(&m->t, &l);
    fp_mul(&constant, &l.alpha, &x);
    fp_sub(&constant, &constant, &l.yy);
    fp_sub(&constant, &constant, &l.yy);
    fp_mul(&slope, &l.alpha, &l.zz);
    fp_mul(&height, &m->t.z, &l.zz);
    times_line(f, m, &constant, &slope, &height);
}

/* The line through T and A, or -A, times Z3: Z3 y - r x + (r xA - Z3 yA) */
static void miller_add(fp6 *f, struct miller *m, int minus)
{
    const fp *y = minus ? &m->minus_y : &m->a.y;
    fp constant, slope, u;

    e1_add(&m->t, &m->a.x, y, &slope);
    fp_mul(&constant, &slope, &m->a.x);
    fp_mul(&u, &m->t.z, y);
    fp_sub(&constant, &constant, &u);
    times_line(f, m, &constant, &slope, &m->t.z);
}

/* T is (q + 1) A, which is A when the order of A is q; the line that is left is
 * vertical. */
static int miller_ends_well(const struct miller *m)
{
    e1_affine t;

    if (e1_normalise(&t, &m->t)) return 0;
    fp_sub(&t.x, &t.x, &m->a.x);
    fp_sub(&t.y, &t.y, &m->a.y);
    return fp_is_zero(&t.x) && fp_is_zero(&t.y);
}

/* Whether f^((p^6 - 1)/q) = 1.  (p^6 - 1)/q = (p^3 - 1) E with
 * E = (p + 1)(2p + e), and g = f^E has g^(p^3) = g just when its part at w is 0. */
static int power_is_one(const fp6 *f)
{
    static const uint8_t e[11] = {0x01, 0xb7, 0xaf, 0xa6, 0x2d, 0xd5,
                                  0xaa, 0x29, 0x77, 0x1f, 0x2b};
    fp6 g, h;

    if (fp3_is_zero(&f->a) && fp3_is_zero(&f->b)) return 0;
    fp6_frobenius(&g, f);
    fp6_mul(&g, &g, f);
    h = g; /* g^e: 81 bits, the first of them 1 */
    for (int n = 79; n >= 0; n--) {
        fp6_square(&h, &h);
        if (e[10 - n / 8] >> n % 8 & 1) fp6_mul(&h, &h, &g);
    }
    fp6_square(&g, &g);
    fp6_frobenius(&g, &g);
    fp6_mul(&h, &h, &g);
    return fp3_is_zero(&h.b);
}

/* Whether both A have order q and e(a0, b0) e(a1, b1) = 1. */
static int pairings_cancel(const e1_affine *a0, const e3_affine *b0,
                           const e1_affine *a1, const e3_affine *b1)
{
    signed char digit[161];
    struct miller m[2];
    fp6 f;
    int n = digits_of(digit, group_order);

    memset(&f, 0, sizeof f);
    fp_set(&f.a.c[0], 1);
    miller_start(&m[0], a0, b0);
    miller_start(&m[1], a1, b1);
    for (n--; n >= 0; n--) {
        fp6_square(&f, &f);
        for (int k = 0; k < 2; k++) miller_double(&f, &m[k]);
        for (int k = 0; k < 2 && digit[n] && n > 0; k++)
            miller_add(&f, &m[k], digit[n] < 0);
    }
    return miller_ends_well(&m[0]) && miller_ends_well(&m[1]) && power_is_one(&f);
}

#endif
