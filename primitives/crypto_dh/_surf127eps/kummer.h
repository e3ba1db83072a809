/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SURF127EPS_KUMMER_H
#define SURF127EPS_KUMMER_H

/* Points of the Kummer surface in squared theta coordinates and what their
 * users need beside the ladder: Gaudry, Fast genus 2 arithmetic based on theta
 * functions, Journal of Mathematical Cryptology 1 (2007).
 *
 * The field is the includer's: fe and FE, fe_add, fe_sub, fe_mul, fe_sq,
 * fe_frombytes, fe_tobytes, fe_iszero, fe_cswap, and fe_add_products and
 * fe_sub_products, which need take products, coordinates and constants only. */

#include "crypto_declassify.h"
#include "constants.h"

typedef struct {
    fe x, y, z, t;
} point;

static inline fe fe_sq_times(fe a, int times)
{
    while (times-- > 0) a = fe_sq(a);
    return a;
}

/* a^(p-2); p - 2 in binary is 117 ones and 0100011111. */
static fe fe_invert(fe a)
{
    fe ones5, ones8, ones13, r;
    r = fe_mul(fe_sq(a), a);
    r = fe_mul(fe_sq_times(r, 2), r); /* 4 ones */
    ones5 = fe_mul(fe_sq(r), a);
    ones8 = fe_mul(fe_sq_times(r, 4), r);
    ones13 = fe_mul(fe_sq_times(ones8, 5), ones5);
    r = fe_mul(fe_sq_times(ones13, 13), ones13);
    r = fe_mul(fe_sq_times(r, 26), r);
    r = fe_mul(fe_sq_times(r, 52), r);
    r = fe_mul(fe_sq_times(r, 13), ones13); /* 117 ones */
    r = fe_mul(fe_sq_times(r, 2), a);
    return fe_mul(fe_sq_times(r, 8), ones5);
}

static inline int fe_same(fe a, fe b)
{
    return fe_iszero(fe_sub(a, b));
}

/* Whether (1 : y : z : t) is on the surface. */
static int on_surface(const point *p)
{
    static const fe f = SURFACE_F, g = SURFACE_G, h = SURFACE_H, k = SURFACE_K;
    fe x = p->x, y = p->y, z = p->z, t = p->t;
    fe r = fe_add(fe_add(fe_sq(x), fe_sq(y)), fe_add(fe_sq(z), fe_sq(t)));
    r = fe_sub(r, fe_mul(f, fe_add(fe_mul(x, t), fe_mul(y, z))));
    r = fe_sub(r, fe_mul(g, fe_add(fe_mul(x, z), fe_mul(y, t))));
    r = fe_sub(r, fe_mul(h, fe_add(fe_mul(x, y), fe_mul(z, t))));
    return fe_same(fe_sq(r), fe_mul(fe_mul(k, fe_mul(x, y)), fe_mul(z, t)));
}

/* 0, or -1 for what is no point with three coordinates below p and not 0 on the
 * surface.  Points of the twist pass: they are on the surface too. */
static int point_frombytes(point *p, const unsigned char *in)
{
    static const fe one = FE(1, 0, 0, 0);
    int bad = 0;
    p->x = one;
    bad |= fe_frombytes(&p->y, in);
    bad |= fe_frombytes(&p->z, in + 16);
    bad |= fe_frombytes(&p->t, in + 32);
    if (bad || fe_iszero(p->y) || fe_iszero(p->z) || fe_iszero(p->t)) return -1;
    return on_surface(p) ? 0 : -1;
}

/* 0, or -1 for the identity and for points that cannot be scaled to x = 1. */
static int point_tobytes(unsigned char *out, const point *p)
{
    static const fe beta = IDENTITY_Y, gamma = IDENTITY_Z, delta = IDENTITY_T;
    fe inverse = fe_invert(p->x);
    fe y = fe_mul(p->y, inverse), z = fe_mul(p->z, inverse), t = fe_mul(p->t, inverse);
    fe_tobytes(out, y);
    fe_tobytes(out + 16, z);
    fe_tobytes(out + 32, t);
    /* Whoever asks for the result learns whether there is one. */
    int none = fe_iszero(p->x) | (fe_same(y, beta) & fe_same(z, gamma) & fe_same(t, delta));
    crypto_declassify(&none, sizeof none);
    return none ? -1 : 0;
}

/* (1/x : 1/y : 1/z : 1/t) with x = 1, without a division. */
static inline point point_inverse_coordinates(const point *p)
{
    point r;
    r.t = fe_mul(p->y, p->z);
    r.z = fe_mul(p->y, p->t);
    r.y = fe_mul(p->z, p->t);
    r.x = fe_mul(r.t, p->t);
    return r;
}

#endif
