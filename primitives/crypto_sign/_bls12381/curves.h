/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BLS12381_CURVES_H
#define BLS12381_CURVES_H

/* E:  y^2 = x^3 + 4 over F_p, with G1, of order q;
 * E': y^2 = x^3 + 4 (1 + i) over F_p2, its twist in F_p12, with G2, of order q.
 * q = x^4 - x^2 + 1 with x = -curve_x, p = (x - 1)^2 q/3 + x. */

static const uint64_t curve_x = 0xd201000000010000;

static inline void fp_triple(fp *r, const fp *x)
{
    fp t;

    fp_double(&t, x);
    fp_add(r, &t, x);
}

static inline void fp_square(fp *r, const fp *x)
{
    fp_mul(r, x, x);
}

static inline void g1_times_3b(fp *r, const fp *x)
{
    fp_triple(r, x);
    fp_double(r, r);
    fp_double(r, r);
}

static inline void g2_times_3b(fp2 *r, const fp2 *x)
{
    fp2_times_xi(r, x);
    fp2_triple(r, r);
    fp2_double(r, r);
    fp2_double(r, r);
}

#define POINT(name) g1_##name
#define FIELD(name) fp_##name
#define FIELD_TYPE fp
#include "point.h"

#define POINT(name) g2_##name
#define FIELD(name) fp2_##name
#define FIELD_TYPE fp2
#include "point.h"

/* The cube root of 1 for which (beta x, y) is -x^2 (x, y) in G1. */
static const fp beta_plain = {LIMBS_384(0x0000000000000000, 0x5f19672fdf76ce51, 0xba69c6076a0f77ea,
                                        0xddb3a93be6f89688, 0xde17d813620a0002, 0x2e01fffffffefffe)};

/* r = -x^2 p, for p in G1 */
static void g1_endomorphism(g1_projective *r, const g1_projective *p)
{
    fp beta;

    fp_from(&beta, &beta_plain);
    *r = *p;
    fp_mul(&r->x, &p->x, &beta);
}

/* Frobenius' endomorphism, taken to E' and back: r = x p, for p in G2.
 * (x', y') with conjugate coordinates, divided by xi^((p-1)/3) and xi^((p-1)/2). */
static void g2_endomorphism(g2_projective *r, const g2_projective *p)
{
    static const fp plain = {
        LIMBS_384(0x135203e60180a68e, 0xe2e9c448d77a2cd9, 0x1c3dedd930b1cf60,
                  0xef396489f61eb45e, 0x304466cf3e67fa0a, 0xf1ee7b04121bdea2)};
    fp beta, t;
    fp2 y;

    fp_from(&beta, &beta_plain);
    fp_negate(&beta, &beta); /* times (x0 - x1 i) (-beta i) */
    fp_mul(&t, &p->x.c[1], &beta);
    fp_mul(&r->x.c[1], &p->x.c[0], &beta);
    r->x.c[0] = t;
    fp_from(&y.c[0], &plain); /* times (y0 - y1 i) that (1 - i) */
    fp_negate(&y.c[1], &y.c[0]);
    fp2_conjugate(&r->y, &p->y);
    fp2_mul(&r->y, &r->y, &y);
    fp2_conjugate(&r->z, &p->z);
}

static inline void g1_negate(g1_projective *r)
{
    fp_negate(&r->y, &r->y);
}

static inline void g2_negate(g2_projective *r)
{
    fp2_negate(&r->y, &r->y);
}

/* Whether a point of E is in G1: whether it is multiplied by -x^2 as the points of G1
 * are; as beta^2 + beta + 1 = 0 its order divides x^4 - x^2 + 1. */
static int g1_is_in_group(const g1_affine *a)
{
    g1_projective p, r;

    g1_set(&p, a);
    g1_times_x(&r, &p);
    g1_times_x(&r, &r);
    g1_negate(&r);
    g1_endomorphism(&p, &p);
    return !fp_is_zero(&r.z) && g1_equal(&r, &p);
}

/* Whether a point of E' is in G2: whether it is multiplied by x as the points of G2
 * are (Scott, A note on group membership tests, ePrint 2021/1130). */
static int g2_is_in_group(const g2_affine *a)
{
    g2_projective p, r;

    g2_set(&p, a);
    g2_times_x(&r, &p);
    g2_negate(&r);
    g2_endomorphism(&p, &p);
    return !fp2_is_zero(&r.z) && g2_equal(&r, &p);
}

/* The point of G1 of which public keys are multiples, and curve_x times it. */
static void g1_base(g1_projective p[2])
{
    static const fp plain[4] = {
        {LIMBS_384(0x17f1d3a73197d794, 0x2695638c4fa9ac0f, 0xc3688c4f9774b905,
                   0xa14e3a3f171bac58, 0x6c55e83ff97a1aef, 0xfb3af00adb22c6bb)},
        {LIMBS_384(0x08b3f481e3aaa0f1, 0xa09e30ed741d8ae4, 0xfcf5e095d5d00af6,
                   0x00db18cb2c04b3ed, 0xd03cc744a2888ae4, 0x0caa232946c5e7e1)},
        {LIMBS_384(0x0d3aff0f3b2e6f48, 0x78f15a81eabab5d8, 0xc9f765bc93ae0a2f,
                   0x0da5ed1941b4924b, 0xca4516661600c41a, 0x74beeb243695b52d)},
        {LIMBS_384(0x0332c926f3b2fecd, 0x11c514e777933c8b, 0x994de733bdbc6688,
                   0xfae276601803ba02, 0x96976fb0b97f36d2, 0xfe6456a9444dcc00)}};

    for (int k = 0; k < 2; k++) {
        fp_from(&p[k].x, &plain[2 * k]);
        fp_from(&p[k].y, &plain[2 * k + 1]);
        fp_set(&p[k].z, 1);
    }
}

/* r = k times the base point, k = sum of k[j] curve_x^j */
static void g1_multiply_base(g1_affine *r, const uint64_t k[4])
{
    g1_projective p[4], t;

    g1_base(p);
    for (int j = 0; j < 2; j++) { /* x^2 = -(-x^2) */
        g1_endomorphism(&p[j + 2], &p[j]);
        g1_negate(&p[j + 2]);
    }
    g1_multiply(&t, p, k);
    g1_normalise(r, &t);
}

/* r = k a, for a in G2, k = sum of k[j] curve_x^j; curve_x = -x */
static void g2_multiply_point(g2_affine *r, const g2_projective *a, const uint64_t k[4])
{
    g2_projective p[4], t;

    p[0] = *a;
    for (int j = 0; j < 3; j++) {
        g2_endomorphism(&p[j + 1], &p[j]);
        g2_negate(&p[j + 1]);
    }
    g2_multiply(&t, p, k);
    g2_normalise(r, &t);
}

#endif
