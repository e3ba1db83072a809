/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef FALCON_BEZOUT_H
#define FALCON_BEZOUT_H

/* u f - v g = 1 for odd f and g: the divsteps of Bernstein and Yang ("Fast
 * constant-time gcd computation and modular inversion", CHES 2019), thirty at a
 * time, which the lowest limbs determine; the number of steps is that of their
 * theorem 11.2, whatever f and g are. */

#include "big.h"

struct steps {
    int32_t delta, x0, x1, y0, y1; /* 2^30 (x, y) after = ((x0, x1), (y0, y1)) (x, y) before */
};

static void thirty_steps(struct steps *s, int32_t low_x, int32_t low_y)
{
    uint32_t x = (uint32_t)low_x, y = (uint32_t)low_y;
    uint32_t x0 = 1, x1 = 0, y0 = 0, y1 = 1, delta = (uint32_t)s->delta;
    for (int i = 0; i < LIMB; i++) {
        const uint32_t swap = -((0 - delta) >> 31 & y & 1); /* 0 < delta and y is odd: (x, y) becomes (y, -x) */
        const uint32_t t = (x ^ y) & swap, t0 = (x0 ^ y0) & swap, t1 = (x1 ^ y1) & swap;
        x ^= t, x0 ^= t0, x1 ^= t1;
        y = ((y ^ t) ^ swap) - swap, y0 = ((y0 ^ t0) ^ swap) - swap, y1 = ((y1 ^ t1) ^ swap) - swap;
        delta = (delta ^ swap) - swap + 1;
        const uint32_t odd = -(y & 1);
        y += x & odd, y0 += x0 & odd, y1 += x1 & odd;
        y >>= 1, x0 *= 2, x1 *= 2;
    }
    *s = (struct steps){(int32_t)delta, (int32_t)x0, (int32_t)x1, (int32_t)y0, (int32_t)y1};
}

/* (x, y) = (a x + b y, c x + d y) / 2^30 */
static void apply(int32_t *x, int32_t *y, unsigned limbs, const struct steps *s)
{
    int64_t to_x = 0, to_y = 0;
    for (unsigned i = 0; i < limbs; i++) {
        to_x += (int64_t)s->x0 * x[i] + (int64_t)s->x1 * y[i];
        to_y += (int64_t)s->y0 * x[i] + (int64_t)s->y1 * y[i];
        if (i > 0) {
            x[i - 1] = (int32_t)(to_x & LIMB_MASK);
            y[i - 1] = (int32_t)(to_y & LIMB_MASK);
        }
        to_x >>= LIMB, to_y >>= LIMB;
    }
    x[limbs - 1] = (int32_t)to_x;
    y[limbs - 1] = (int32_t)to_y;
}

/* The same modulo p, of one limb less: a multiple of p, at most p/2 after the division, makes it divisible. */
static void apply_modulo(int32_t *x, int32_t *y, unsigned limbs, const struct steps *s, const int32_t *p,
                         uint32_t minus_inverse)
{
    const uint32_t low_x = (uint32_t)s->x0 * (uint32_t)x[0] + (uint32_t)s->x1 * (uint32_t)y[0];
    const uint32_t low_y = (uint32_t)s->y0 * (uint32_t)x[0] + (uint32_t)s->y1 * (uint32_t)y[0];
    const int64_t times_x = big_top(low_x * minus_inverse), times_y = big_top(low_y * minus_inverse);
    int64_t to_x = 0, to_y = 0;
    for (unsigned i = 0; i < limbs; i++) {
        const int64_t limb = i + 1 < limbs ? p[i] : 0;
        to_x += (int64_t)s->x0 * x[i] + (int64_t)s->x1 * y[i] + times_x * limb;
        to_y += (int64_t)s->y0 * x[i] + (int64_t)s->y1 * y[i] + times_y * limb;
        if (i > 0) {
            x[i - 1] = (int32_t)(to_x & LIMB_MASK);
            y[i - 1] = (int32_t)(to_y & LIMB_MASK);
        }
        to_x >>= LIMB, to_y >>= LIMB;
    }
    x[limbs - 1] = (int32_t)to_x;
    y[limbs - 1] = (int32_t)to_y;
}

/* -1/x modulo 2^30, x odd: every step doubles the bits that are right. */
static uint32_t minus_inverse_30(uint32_t x)
{
    uint32_t y = x;
    for (int i = 0; i < 4; i++) y *= 2 - x * y;
    return (0 - y) & (uint32_t)LIMB_MASK;
}

/* quotient = a / p, known to be exact, modulo 2^(30 limbs); a is lost. */
static void divide_exactly(int32_t *quotient, int32_t *a, unsigned limbs, const int32_t *p, unsigned P,
                           uint32_t minus_inverse)
{
    for (unsigned i = 0; i < limbs; i++) {
        const int32_t digit = (int32_t)((0 - (uint32_t)a[i] * minus_inverse) & (uint32_t)LIMB_MASK);
        big_mac(a + i, limbs - i, &digit, 1, -1, p, P);
        quotient[i] = digit;
    }
    quotient[limbs - 1] = big_top(quotient[limbs - 1]);
}

#define BEZOUT_MOST 220 /* limbs of u and v */

/* u and v of limbs + 1 limbs, for f and g of that many; whether there are none. */
static int bezout(int32_t *u, int32_t *v, const int32_t *f, const int32_t *g, unsigned limbs)
{
    int32_t x[BEZOUT_MOST], y[BEZOUT_MOST], b[BEZOUT_MOST];
    const uint32_t minus_inverse = minus_inverse_30((uint32_t)g[0]);
    const unsigned count = (49 * LIMB * limbs + 57) / 17 / LIMB + 1;
    struct steps s = {1, 0, 0, 0, 0};
    uint32_t wrong = 0;
    for (unsigned i = 0; i < limbs; i++) x[i] = g[i], y[i] = f[i];
    big_zero(u, limbs + 1), big_zero(b, limbs + 1);
    b[0] = 1; /* x = u f and y = b f modulo g */
    for (unsigned i = 0; i < count; i++) {
        thirty_steps(&s, x[0], y[0]);
        apply(x, y, limbs, &s);
        apply_modulo(u, b, limbs + 1, &s, g, minus_inverse);
    }
    const int32_t negative = x[limbs - 1] < 0; /* x is the greatest common divisor or minus it */
    big_negate(x, limbs, negative);
    big_negate(u, limbs + 1, negative);
    x[0] ^= 1;
    for (unsigned i = 0; i < limbs; i++) wrong |= (uint32_t)x[i];
    big_zero(b, limbs + 1);
    b[0] = LIMB_MASK; /* -1, then u f - 1 */
    for (unsigned i = 1; i <= limbs; i++) b[i] = i < limbs ? LIMB_MASK : -1;
    big_mac(b, limbs + 1, u, limbs + 1, 1, f, limbs);
    divide_exactly(v, b, limbs + 1, g, limbs, minus_inverse);
    return wrong != 0;
}

#endif
