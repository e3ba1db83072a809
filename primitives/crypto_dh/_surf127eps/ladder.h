/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SURF127EPS_LADDER_H
#define SURF127EPS_LADDER_H

/* Gaudry's ladder: a doubling and a differential addition a bit, which share
 * their first three multiplications: 9 squarings, 17 multiplications. */

#include "kummer.h"

static inline point hadamard(const point *p)
{
    fe a = fe_add_products(p->x, p->y), b = fe_sub_products(p->x, p->y);
    fe c = fe_add_products(p->z, p->t), d = fe_sub_products(p->z, p->t);
    point r;
    r.x = fe_add(a, c);
    r.y = fe_sub(a, c);
    r.z = fe_add(b, d);
    r.t = fe_sub(b, d);
    return r;
}

static inline void point_mul(point *p, const point *q)
{
    p->x = fe_mul(p->x, q->x);
    p->y = fe_mul(p->y, q->y);
    p->z = fe_mul(p->z, q->z);
    p->t = fe_mul(p->t, q->t);
}

static inline void point_sq(point *p)
{
    p->x = fe_sq(p->x);
    p->y = fe_sq(p->y);
    p->z = fe_sq(p->z);
    p->t = fe_sq(p->t);
}

/* (u, v) = (2u, u + v); inverse: the inverse coordinates of v - u. */
static inline void double_and_add(point *u, point *v, const point *inverse)
{
    static const fe y0 = Y0, z0 = Z0, t0 = T0, y1 = Y1, z1 = Z1, t1 = T1;
    point scaled;
    *u = hadamard(u);
    *v = hadamard(v);
    scaled.x = u->x;
    scaled.y = fe_mul(u->y, y1);
    scaled.z = fe_mul(u->z, z1);
    scaled.t = fe_mul(u->t, t1);
    point_mul(u, &scaled);
    point_mul(v, &scaled);
    *u = hadamard(u);
    *v = hadamard(v);
    point_sq(u);
    point_sq(v);
    u->y = fe_mul(u->y, y0);
    u->z = fe_mul(u->z, z0);
    u->t = fe_mul(u->t, t0);
    point_mul(v, inverse);
}

static inline void point_cswap(point *u, point *v, unsigned swap)
{
    fe_cswap(&u->x, &v->x, swap);
    fe_cswap(&u->y, &v->y, swap);
    fe_cswap(&u->z, &v->z, swap);
    fe_cswap(&u->t, &v->t, swap);
}

/* scalar * p; p has x = 1 and no coordinate 0.  All 256 bits are gone through:
 * doubling the identity and adding to it are right in these formulas. */
static point point_multiple(const unsigned char *scalar, const point *p)
{
    static const point identity = {FE(1, 0, 0, 0), IDENTITY_Y, IDENTITY_Z, IDENTITY_T};
    point u = identity, v = *p, inverse = point_inverse_coordinates(p);
    unsigned before = 0;
    for (int i = 255; i >= 0; i--) {
        unsigned bit = scalar[i / 8] >> (i % 8) & 1;
        point_cswap(&u, &v, bit ^ before);
        before = bit;
        double_and_add(&u, &v, &inverse);
    }
    point_cswap(&u, &v, before);
    return u;
}

#endif
