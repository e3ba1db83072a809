/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Points of y^2 = x^3 + b over the field whose functions are FIELD(add), FIELD(sub),
 * ...  Included once for each curve:
 *
 *   POINT(affine)      x, y; never the point at infinity
 *   POINT(projective)  (X/Z, Y/Z); at infinity where Z = 0
 *
 * The formulas of Renes, Costello and Batina (Complete addition formulas for prime
 * order elliptic curves, EUROCRYPT 2016, algorithms 7 and 9) know no exceptions but
 * points that differ by one of order 2, of which these curves have none.  Everything
 * is constant time. */

typedef struct {
    FIELD_TYPE x, y;
} POINT(affine);

typedef struct {
    FIELD_TYPE x, y, z;
} POINT(projective);

static inline void POINT(set)(POINT(projective) * r, const POINT(affine) * p)
{
    r->x = p->x;
    r->y = p->y;
    memset(&r->z, 0, sizeof r->z);
    fp_set((fp *)&r->z, 1);
}

static inline void POINT(select)(POINT(projective) * r, const POINT(projective) * p, limb mask)
{
    FIELD(select)(&r->x, &p->x, mask);
    FIELD(select)(&r->y, &p->y, mask);
    FIELD(select)(&r->z, &p->z, mask);
}

/* r = (a + b)(c + d) - p - q, the products a c = p and b d = q being known */
static inline void POINT(cross)(FIELD_TYPE *r, const FIELD_TYPE *a, const FIELD_TYPE *b,
                                const FIELD_TYPE *c, const FIELD_TYPE *d,
                                const FIELD_TYPE *p, const FIELD_TYPE *q)
{
    FIELD_TYPE s, t;

    FIELD(add)(&s, a, b);
    FIELD(add)(&t, c, d);
    FIELD(mul)(&s, &s, &t);
    FIELD(sub)(&s, &s, p);
    FIELD(sub)(r, &s, q);
}

/* r = p + q */
static void POINT(add)(POINT(projective) * r, const POINT(projective) * p,
                       const POINT(projective) * q)
{
    FIELD_TYPE xx, yy, zz, xy, yz, xz, sum;

    FIELD(mul)(&xx, &p->x, &q->x);
    FIELD(mul)(&yy, &p->y, &q->y);
    FIELD(mul)(&zz, &p->z, &q->z);
    POINT(cross)(&xy, &p->x, &p->y, &q->x, &q->y, &xx, &yy); /* X1 Y2 + X2 Y1 */
    POINT(cross)(&yz, &p->y, &p->z, &q->y, &q->z, &yy, &zz);
    POINT(cross)(&xz, &p->x, &p->z, &q->x, &q->z, &xx, &zz);
    FIELD(triple)(&xx, &xx);
    POINT(times_3b)(&zz, &zz);
    POINT(times_3b)(&xz, &xz);
    FIELD(add)(&sum, &yy, &zz);
    FIELD(sub)(&yy, &yy, &zz);
    FIELD(mul)(&r->x, &xy, &yy); /* xy yy - yz xz */
    FIELD(mul)(&zz, &yz, &xz);
    FIELD(sub)(&r->x, &r->x, &zz);
    FIELD(mul)(&r->y, &yy, &sum); /* yy sum + xz xx */
    FIELD(mul)(&xz, &xz, &xx);
    FIELD(add)(&r->y, &r->y, &xz);
    FIELD(mul)(&r->z, &sum, &yz); /* sum yz + xx xy */
    FIELD(mul)(&xx, &xx, &xy);
    FIELD(add)(&r->z, &r->z, &xx);
}

static void POINT(double)(POINT(projective) * r)
{
    FIELD_TYPE yy, yy8, yz, xy, b, t;

    FIELD(square)(&yy, &r->y);
    FIELD(double)(&yy8, &yy);
    FIELD(double)(&yy8, &yy8);
    FIELD(double)(&yy8, &yy8);
    FIELD(mul)(&yz, &r->y, &r->z);
    FIELD(mul)(&xy, &r->x, &r->y);
    FIELD(square)(&b, &r->z);
    POINT(times_3b)(&b, &b);
    FIELD(mul)(&r->z, &yz, &yy8);
    FIELD(mul)(&yy8, &yy8, &b);
    FIELD(add)(&t, &yy, &b);
    FIELD(triple)(&b, &b);
    FIELD(sub)(&yy, &yy, &b); /* Y^2 - 9b Z^2 */
    FIELD(mul)(&t, &t, &yy);
    FIELD(add)(&r->y, &t, &yy8);
    FIELD(mul)(&xy, &xy, &yy);
    FIELD(double)(&r->x, &xy);
}

/* r = |x| p */
static void POINT(times_x)(POINT(projective) * r, const POINT(projective) * p)
{
    POINT(projective) t = *p;

    for (int n = 62; n >= 0; n--) {
        POINT(double)(&t);
        if (curve_x >> n & 1) POINT(add)(&t, &t, p);
    }
    *r = t;
}

/* For points of which neither is at infinity. */
static int POINT(equal)(const POINT(projective) * p, const POINT(projective) * q)
{
    FIELD_TYPE s, t;
    int same;

    FIELD(mul)(&s, &p->x, &q->z);
    FIELD(mul)(&t, &q->x, &p->z);
    same = FIELD(equal)(&s, &t);
    FIELD(mul)(&s, &p->y, &q->z);
    FIELD(mul)(&t, &q->y, &p->z);
    return same & FIELD(equal)(&s, &t);
}

/* (0, 0) for the point at infinity */
static void POINT(normalise)(POINT(affine) * r, const POINT(projective) * p)
{
    FIELD_TYPE t;

    FIELD(invert)(&t, &p->z);
    FIELD(mul)(&r->x, &p->x, &t);
    FIELD(mul)(&r->y, &p->y, &t);
}

/* r = sum of k[j] p[j], all four at once: the sums of all subsets of p, of which one
 * is added for each place. All are read for each, as k is secret. */
static void POINT(multiply)(POINT(projective) * r, const POINT(projective) p[4],
                            const uint64_t k[4])
{
    POINT(projective) table[16], t;

    memset(&t, 0, sizeof t); /* (0, 1, 0) is at infinity */
    fp_set((fp *)&t.y, 1);
    table[0] = *r = t;
    for (int j = 0; j < 4; j++) {
        table[1 << j] = p[j];
        for (int i = 1; i < 1 << j; i++) POINT(add)(&table[(1 << j) + i], &table[i], &p[j]);
    }
    for (int n = 63; n >= 0; n--) {
        unsigned digit = 0;
        for (int j = 0; j < 4; j++) digit |= (unsigned)(k[j] >> n & 1) << j;
        t = table[0];
        for (unsigned i = 1; i < 16; i++)
            POINT(select)(&t, &table[i], (limb)0 - (limb)(((i ^ digit) - 1) >> 31));
        POINT(double)(r);
        POINT(add)(r, r, &t);
    }
}

#undef POINT
#undef FIELD
#undef FIELD_TYPE
