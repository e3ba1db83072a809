/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Points of y^2 = x^3 + a x + b over the field whose functions are FIELD(add),
 * FIELD(sub), ...; a = -3 for POINT_A_IS(-3), else -12.  Included once for each:
 *
 *   POINT(affine)    x, y; never the point at infinity
 *   POINT(jacobian)  (X/Z^2, Y/Z^3); at infinity where Z = 0
 *
 * Multiplication branches on the digits of the scalar. */

typedef struct {
    FIELD_TYPE x, y;
} POINT(affine);

typedef struct {
    FIELD_TYPE x, y, z;
} POINT(jacobian);

/* Where the tangent meets: alpha = 3 X^2 + a Z^4, ZZ = Z^2, YY = Y^2 are left for
 * who wants the tangent itself. */
struct POINT(tangent) {
    FIELD_TYPE alpha, zz, yy;
};

static void POINT(double)(POINT(jacobian) * t, struct POINT(tangent) * l)
{
    FIELD_TYPE beta, s, u;

    FIELD(mul)(&l->zz, &t->z, &t->z);
    FIELD(mul)(&l->yy, &t->y, &t->y);
    u = l->zz;
    if (POINT_A == -12) FIELD(double)(&u, &u);
    FIELD(add)(&s, &t->x, &u); /* alpha = 3 (X - u)(X + u) with u^2 = -a Z^4 / 3 */
    FIELD(sub)(&u, &t->x, &u);
    FIELD(mul)(&s, &s, &u);
    FIELD(double)(&u, &s);
    FIELD(add)(&l->alpha, &s, &u);
    FIELD(mul)(&beta, &t->x, &l->yy); /* beta = 4 X YY */
    FIELD(double)(&beta, &beta);
    FIELD(double)(&beta, &beta);
    FIELD(mul)(&t->z, &t->z, &t->y);
    FIELD(double)(&t->z, &t->z);
    FIELD(mul)(&t->x, &l->alpha, &l->alpha);
    FIELD(sub)(&t->x, &t->x, &beta);
    FIELD(sub)(&t->x, &t->x, &beta);
    FIELD(sub)(&beta, &beta, &t->x);
    FIELD(mul)(&t->y, &l->alpha, &beta);
    FIELD(double)(&s, &l->yy); /* 8 YY^2 = 2 (2 YY)^2 */
    FIELD(mul)(&s, &s, &s);
    FIELD(double)(&s, &s);
    FIELD(sub)(&t->y, &t->y, &s);
}

/* t += (x, y), a point other than t and -t: then Z is 0 afterwards, and *slope
 * tells both apart, being 0 for t itself.  The line's slope is slope / Z. */
static void POINT(add)(POINT(jacobian) * t, const FIELD_TYPE *x, const FIELD_TYPE *y,
                       FIELD_TYPE *slope)
{
    FIELD_TYPE h, hh, v, r;

    FIELD(mul)(&hh, &t->z, &t->z);
    FIELD(mul)(&h, &hh, x);
    FIELD(sub)(&h, &h, &t->x);
    FIELD(mul)(&r, &hh, &t->z);
    FIELD(mul)(&r, &r, y);
    FIELD(sub)(&r, &r, &t->y);
    FIELD(mul)(&t->z, &t->z, &h);
    FIELD(mul)(&hh, &h, &h);
    FIELD(mul)(&v, &hh, &t->x);
    FIELD(mul)(&h, &hh, &h); /* H^3 */
    FIELD(mul)(&t->x, &r, &r);
    FIELD(sub)(&t->x, &t->x, &h);
    FIELD(sub)(&t->x, &t->x, &v);
    FIELD(sub)(&t->x, &t->x, &v);
    FIELD(sub)(&v, &v, &t->x);
    FIELD(mul)(&h, &h, &t->y);
    FIELD(mul)(&t->y, &v, &r);
    FIELD(sub)(&t->y, &t->y, &h);
    *slope = r;
}

static void POINT(set)(POINT(jacobian) * t, const POINT(affine) * p)
{
    t->x = p->x;
    t->y = p->y;
    memset(&t->z, 0, sizeof t->z);
    fp_set((fp *)&t->z, 1);
}

/* -1 for the point at infinity */
static int POINT(normalise)(POINT(affine) * r, const POINT(jacobian) * t)
{
    FIELD_TYPE i, ii;

    if (FIELD(is_zero)(&t->z)) return -1;
    FIELD(invert)(&i, &t->z);
    FIELD(mul)(&ii, &i, &i);
    FIELD(mul)(&r->x, &t->x, &ii);
    FIELD(mul)(&ii, &ii, &i);
    FIELD(mul)(&r->y, &t->y, &ii);
    return 0;
}

/* r = k p, 0 < k < the order of p; -1 where the sums meet a point on its inverse */
static int POINT(multiply)(POINT(affine) * r, const POINT(affine) * p,
                           const uint8_t k[20])
{
    signed char digit[161];
    FIELD_TYPE minus, slope;
    POINT(jacobian) t;
    struct POINT(tangent) l;
    int n = digits_of(digit, k);

    FIELD(sub)(&minus, &p->y, &p->y);
    FIELD(sub)(&minus, &minus, &p->y);
    POINT(set)(&t, p);
    for (n--; n >= 0; n--) {
        POINT(double)(&t, &l);
        if (digit[n]) POINT(add)(&t, &p->x, digit[n] > 0 ? &p->y : &minus, &slope);
    }
    return POINT(normalise)(r, &t);
}

#undef POINT
#undef POINT_A
#undef FIELD
#undef FIELD_TYPE
