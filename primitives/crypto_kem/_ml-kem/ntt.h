/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ML_KEM_NTT_H
#define ML_KEM_NTT_H

/* The transform in portable C: FIPS 203, algorithms 9 to 12. */

#include "field.h"

/* Sizes below q; the result's are at most q/2. */
static void ntt(poly *p)
{
    const int16_t *zeta = zetas;

    for (unsigned half = 128; half >= 2; half /= 2)
        for (unsigned start = 0; start < 256; start += 2 * half) {
            int16_t *low = p->c + start, *high = low + half;
            zeta++;
            for (unsigned j = 0; j < half; j++) { /* a layer adds less than q: 8 q < 2^15 after all */
                const int16_t t = fq_multiply(high[j], *zeta);
                high[j] = (int16_t)(low[j] - t);
                low[j] = (int16_t)(low[j] + t);
            }
        }
    poly_reduce(p);
}

/* Sizes below 2^15; the result's are below q, and it is 2^16 times the inverse: that makes
 * up for one product. */
static void ntt_inverse(poly *p)
{
    const int16_t *zeta = zetas + 128;

    for (unsigned half = 2; half <= 128; half *= 2) {
        if (half == 2 || half == 32) poly_reduce(p); /* four layers make 8 q of q/2 */
        for (unsigned start = 0; start < 256; start += 2 * half) {
            int16_t *low = p->c + start, *high = low + half;
            zeta--;
            for (unsigned j = 0; j < half; j++) {
                const int16_t t = low[j];
                low[j] = (int16_t)(t + high[j]);
                high[j] = fq_multiply((int16_t)(high[j] - t), *zeta);
            }
        }
    }
    for (unsigned i = 0; i < 256; i++) p->c[i] = fq_multiply(p->c[i], 1441); /* 2^32 / 128 */
}

/* sum += x y / 2^16, in the transform's domain: pairs modulo X^2 - zeta and X^2 + zeta.  x's
 * sizes are below q, y's at most q/2; the sum grows by less than 2 q. */
static void multiply_add(poly *sum, const poly *x, const poly *y)
{
    for (unsigned i = 0; i < 128; i++) {
        const int16_t *a = x->c + 2 * i, *b = y->c + 2 * i;
        const int16_t zeta = zetas[64 + i / 2];
        const int16_t gamma = i % 2 ? (int16_t)-zeta : zeta;
        int16_t *s = sum->c + 2 * i;
        s[0] = (int16_t)(s[0] + fq_multiply(a[0], b[0]) + fq_multiply(fq_multiply(a[1], b[1]), gamma));
        s[1] = (int16_t)(s[1] + fq_multiply(a[0], b[1]) + fq_multiply(a[1], b[0]));
    }
}

#endif
