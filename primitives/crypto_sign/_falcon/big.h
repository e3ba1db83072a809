/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef FALCON_BIG_H
#define FALCON_BIG_H

/* Integers of a fixed number of limbs of 30 bits, two's complement: all limbs but
 * the last are in [0, 2^30), the last in [-2^29, 2^29) has the sign.  Whatever does
 * not fit is lost: the key is refused in the end.  No branch on a value.
 *
 * Polynomials of such: coefficient after coefficient. */

#include <stdint.h>

#define LIMB 30
#define LIMB_MASK ((INT32_C(1) << LIMB) - 1)

/* The last limb, of its 30 bits. */
static inline int32_t big_top(int64_t x)
{
    return (int32_t)((x & LIMB_MASK) ^ (INT64_C(1) << (LIMB - 1))) - (INT32_C(1) << (LIMB - 1));
}

static inline void big_zero(int32_t *x, unsigned limbs)
{
    for (unsigned i = 0; i < limbs; i++) x[i] = 0;
}

/* x += sign * a * b */
static void big_mac(int32_t *x, unsigned limbs, const int32_t *a, unsigned A, int32_t sign, const int32_t *b,
                    unsigned B)
{
    for (unsigned i = 0; i < A && i < limbs; i++) {
        const int64_t factor = (int64_t)sign * a[i];
        int64_t carry = 0;
        unsigned k = i;
        for (unsigned j = 0; j < B && k < limbs; j++, k++) {
            carry += x[k] + factor * b[j];
            x[k] = (int32_t)(carry & LIMB_MASK);
            carry >>= LIMB;
        }
        for (; k < limbs; k++) {
            carry += x[k];
            x[k] = (int32_t)(carry & LIMB_MASK);
            carry >>= LIMB;
        }
        x[limbs - 1] = big_top(x[limbs - 1]);
    }
}

/* x -= a 2^(30 shift); a has A limbs. */
static void big_subtract(int32_t *x, unsigned limbs, const int32_t *a, unsigned A, unsigned shift)
{
    int64_t carry = 0;
    for (unsigned i = shift; i < limbs; i++) {
        const unsigned j = i - shift;
        carry += (int64_t)x[i] - (j + 1 < A ? a[j] : j + 1 == A ? a[j] & LIMB_MASK : LIMB_MASK & -(a[A - 1] < 0));
        x[i] = (int32_t)(carry & LIMB_MASK);
        carry >>= LIMB;
    }
    x[limbs - 1] = big_top(x[limbs - 1]);
}

/* x = -x if negate is 1, x if it is 0 */
static void big_negate(int32_t *x, unsigned limbs, int32_t negate)
{
    int64_t carry = negate;
    for (unsigned i = 0; i < limbs; i++) {
        carry += (x[i] & LIMB_MASK) ^ (LIMB_MASK & -negate);
        x[i] = (int32_t)(carry & LIMB_MASK);
        carry >>= LIMB;
    }
    x[limbs - 1] = big_top(x[limbs - 1]);
}

/* x 2^(-30 from), of at most `most` limbs above it: those further up only repeat the sign. */
static double big_double(const int32_t *x, unsigned limbs, unsigned from, unsigned most)
{
    const int32_t negative = x[limbs - 1] < 0;
    const unsigned end = limbs - from < most ? limbs : from + most;
    double value = 0, scale = 1;
    int32_t carry = negative;
    for (unsigned i = from; i < end; i++) {
        carry += (x[i] & LIMB_MASK) ^ (LIMB_MASK & -negative);
        value += (double)(carry & LIMB_MASK) * scale;
        scale *= 0x1p30;
        carry >>= LIMB;
    }
    return (1 - 2 * negative) * value;
}

/* out = a(x^(m/k)) b(x) modulo x^m + 1; a has k coefficients, b has m; with `minus`, b(-x). */
static void big_polynomial(int32_t *out, unsigned limbs, const int32_t *a, unsigned A, unsigned k, const int32_t *b,
                           unsigned B, unsigned m, unsigned minus)
{
    const unsigned step = m / k;
    if (A == 1 && B == 1) { /* a sum fits into 64 bits */
        for (unsigned i = 0; i < m; i++) {
            uint64_t sum = 0;
            for (unsigned j = 0; j < k; j++) {
                const unsigned at = (i - step * j) & (m - 1);
                const uint64_t term = (uint64_t)((int64_t)a[j] * b[at]);
                sum += (step * j > i) ^ (minus & at & 1) ? -term : term;
            }
            int64_t carry = (int64_t)sum;
            for (unsigned l = 0; l < limbs; l++, carry >>= LIMB) out[i * limbs + l] = (int32_t)(carry & LIMB_MASK);
            out[i * limbs + limbs - 1] = big_top(out[i * limbs + limbs - 1]);
        }
        return;
    }
    big_zero(out, m * limbs);
    for (unsigned j = 0; j < k; j++)
        for (unsigned i = 0; i < m; i++) {
            const unsigned at = (i + step * j) & (m - 1);
            const int32_t sign = (i + step * j >= m) ^ (minus & i & 1) ? -1 : 1;
            big_mac(out + at * limbs, limbs, a + j * A, A, sign, b + i * B, B);
        }
}

#endif
