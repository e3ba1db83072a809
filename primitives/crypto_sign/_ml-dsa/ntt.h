/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ML_DSA_NTT_H
#define ML_DSA_NTT_H

/* The transform in portable C: FIPS 204, section 7.5. */

#include "field.h"
#include "zetas.h"

/* NTT, algorithm 41.  Sizes below 2^23; the result's are below 2^23 + 8 q. */
static void ntt(poly *p)
{
    const int32_t *zeta = zetas;

    for (unsigned half = 128; half >= 1; half /= 2)
        for (unsigned start = 0; start < 256; start += 2 * half) {
            int32_t *low = p->c + start, *high = low + half;
            zeta++;
            for (unsigned j = 0; j < half; j++) {
                const int32_t t = fq_multiply(high[j], *zeta);
                high[j] = low[j] - t;
                low[j] += t;
            }
        }
}

/* NTT^-1, algorithm 42, and times 2^32: that makes up for one product.  Sizes below q (the
 * sums of the layers then stay below 2^8 q < 2^31), also of the result. */
static void ntt_inverse(poly *p)
{
    const int32_t *zeta = zetas + 256;

    for (unsigned half = 1; half <= 128; half *= 2)
        for (unsigned start = 0; start < 256; start += 2 * half) {
            int32_t *low = p->c + start, *high = low + half;
            zeta--;
            for (unsigned j = 0; j < half; j++) {
                const int32_t t = low[j];
                low[j] = t + high[j];
                high[j] = fq_multiply(high[j] - t, *zeta);
            }
        }
    for (unsigned i = 0; i < 256; i++) p->c[i] = fq_multiply(p->c[i], 41978); /* 2^64 / 256 */
}

/* The sum of n products x[j] y[j] / 2^32, transformed all of them; the result's sizes are below
 * q.  x's sizes are below q, y's below 10 q, n at most 8: the sum is below 2^31 q. */
static void inner_product(poly *sum, const poly *x, const poly *y, unsigned n)
{
    for (unsigned i = 0; i < 256; i++) {
        int64_t s = 0;
        for (unsigned j = 0; j < n; j++) s += (int64_t)x[j].c[i] * y[j].c[i];
        sum->c[i] = fq_montgomery(s);
    }
}

#endif
