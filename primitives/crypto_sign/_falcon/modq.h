/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef FALCON_MODQ_H
#define FALCON_MODQ_H

/* Polynomials modulo X^N + 1 and q = 12289: coefficients in [0, q), no branch and
 * no division, as f and g are secret.  Products are Montgomery's, by R = 2^16. */

#include "ntt_roots.h"
#include "parameters.h"

#define R2 10952                /* R^2 mod q */
#define R_OVER_N (65536u >> LOGN) /* R/N mod q */

/* x - q if that is not negative; x < 2q */
static inline uint32_t mod_q(uint32_t x)
{
    x -= Q;
    return x + (Q & -(x >> 31));
}

/* x y / R; xy < 2^16 q.  12287 = -1/q mod R. */
static inline uint32_t mont(uint32_t x, uint32_t y)
{
    const uint32_t product = x * y;
    return mod_q((product + (product * 12287 & 0xffff) * Q) >> 16);
}

/* Of a small number, |x| < q. */
static inline uint16_t to_q(int32_t x)
{
    return (uint16_t)((uint32_t)x + (Q & -((uint32_t)x >> 31)));
}

/* The representative in (-q/2, q/2] */
static inline int32_t centred(uint32_t x)
{
    return (int32_t)x - (int32_t)(Q & -((Q / 2 - x) >> 31));
}

static void ntt(uint16_t a[N])
{
    for (unsigned nodes = 1, h = N / 2; h > 0; nodes *= 2, h /= 2)
        for (unsigned j = 0; j < nodes; j++) {
            uint16_t *low = a + 2 * h * j, *high = low + h;
            const uint32_t r = ntt_root[nodes + j];
            for (unsigned i = 0; i < h; i++) {
                const uint32_t x = low[i], y = mont(high[i], r);
                low[i] = (uint16_t)mod_q(x + y);
                high[i] = (uint16_t)mod_q(x + Q - y);
            }
        }
}

static void ntt_inverse(uint16_t a[N])
{
    for (unsigned nodes = N / 2, h = 1; nodes > 0; nodes /= 2, h *= 2)
        for (unsigned j = 0; j < nodes; j++) {
            uint16_t *low = a + 2 * h * j, *high = low + h;
            const uint32_t minus_inverse = ntt_root[2 * nodes - 1 - j];
            for (unsigned i = 0; i < h; i++) {
                const uint32_t x = low[i], y = high[i];
                low[i] = (uint16_t)mod_q(x + y);
                high[i] = (uint16_t)mont(y + Q - x, minus_inverse);
            }
        }
    for (unsigned i = 0; i < N; i++) a[i] = (uint16_t)mont(a[i], R_OVER_N);
}

/* x R -> R/x; 0 -> 0: to the power q - 2 = 12287 = 0b10111111111111 */
static inline uint32_t mont_invert(uint32_t x)
{
    uint32_t y = x;
    for (int bit = 12; bit >= 0; bit--) {
        y = mont(y, y);
        if ((Q - 2) >> bit & 1) y = mont(y, x);
    }
    return y;
}

/* out = a/b of transformed a and b; whether a coefficient of b is 0. out may be a. */
static int divide(uint16_t out[N], const uint16_t a[N], const uint16_t b[N])
{
    uint32_t zero = 0;
    for (unsigned i = 0; i < N; i++) {
        zero |= ((uint32_t)b[i] - 1) >> 31;
        out[i] = (uint16_t)mont(a[i], mont_invert(mont(b[i], R2)));
    }
    return (int)zero;
}

#endif
