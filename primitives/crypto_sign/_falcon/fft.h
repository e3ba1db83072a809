/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef FALCON_FFT_H
#define FALCON_FFT_H

/* Real polynomials modulo X^n + 1, n = 2 to 1024 a power of two, by their values
 * at half of its roots, the others being conjugates (section 3.6): n/2 real parts,
 * then n/2 imaginary parts.  The values at the roots z and -z are neighbours, and
 * z^2 stands where the pair does in the transform of length n/2.  n = 1: a number. */

#include "exact.h"
#include "../../_shared/bytes.h"
#include "fft_roots.h"

struct complex {
    double re, im;
};

static inline struct complex fft_root(unsigned node)
{
    const double *even = fft_even_root[node / 2];
    if (node % 2 == 0 || node == 1) return (struct complex){even[0], even[1]};
    return (struct complex){-even[1], even[0]};
}

static inline struct complex times(struct complex x, struct complex y)
{
    return (struct complex){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

static inline struct complex times_conjugate(struct complex x, struct complex y)
{
    return (struct complex){x.re * y.re + x.im * y.im, x.im * y.re - x.re * y.im};
}

static inline struct complex value(const double *a, unsigned n, unsigned i)
{
    return (struct complex){a[i], a[n / 2 + i]};
}

static inline void set_value(double *a, unsigned n, unsigned i, struct complex x)
{
    a[i] = x.re;
    a[n / 2 + i] = x.im;
}

static void fft(double *a, unsigned n)
{
    for (unsigned nodes = 1, h = n / 4; h > 0; nodes *= 2, h /= 2)
        for (unsigned j = 0; j < nodes; j++) {
            double *low = a + 2 * h * j, *high = low + h;
            const struct complex r = fft_root(nodes + j);
            for (unsigned i = 0; i < h; i++) {
                const struct complex x = value(low, n, i), y = times(value(high, n, i), r);
                set_value(low, n, i, (struct complex){x.re + y.re, x.im + y.im});
                set_value(high, n, i, (struct complex){x.re - y.re, x.im - y.im});
            }
        }
}

static void fft_inverse(double *a, unsigned n)
{
    for (unsigned nodes = n / 4, h = 1; nodes > 0; nodes /= 2, h *= 2)
        for (unsigned j = 0; j < nodes; j++) {
            double *low = a + 2 * h * j, *high = low + h;
            const struct complex r = fft_root(nodes + j);
            for (unsigned i = 0; i < h; i++) {
                const struct complex x = value(low, n, i), y = value(high, n, i);
                const struct complex difference = {x.re - y.re, x.im - y.im};
                set_value(low, n, i, (struct complex){x.re + y.re, x.im + y.im});
                set_value(high, n, i, times_conjugate(difference, r));
            }
        }
    const double scale = 2.0 / n;
    for (unsigned i = 0; i < n; i++) a[i] *= scale;
}

/* Algorithm 1, splitfft: even and odd coefficients of a, n/2 doubles each. */
static void split(double *even, double *odd, const double *a, unsigned n)
{
    if (n == 2) {
        *even = a[0];
        *odd = a[1];
        return;
    }
    for (unsigned i = 0; i < n / 4; i++) {
        const struct complex x = value(a, n, 2 * i), y = value(a, n, 2 * i + 1);
        const struct complex half = {0.5 * (x.re - y.re), 0.5 * (x.im - y.im)};
        set_value(even, n / 2, i, (struct complex){0.5 * (x.re + y.re), 0.5 * (x.im + y.im)});
        set_value(odd, n / 2, i, times_conjugate(half, fft_root(n / 4 + i)));
    }
}

/* Algorithm 2, mergefft */
static void merge(double *a, const double *even, const double *odd, unsigned n)
{
    if (n == 2) {
        a[0] = *even;
        a[1] = *odd;
        return;
    }
    for (unsigned i = 0; i < n / 4; i++) {
        const struct complex x = value(even, n / 2, i), y = times(value(odd, n / 2, i), fft_root(n / 4 + i));
        set_value(a, n, 2 * i, (struct complex){x.re + y.re, x.im + y.im});
        set_value(a, n, 2 * i + 1, (struct complex){x.re - y.re, x.im - y.im});
    }
}

/* The greatest integer that is at most x, |x| < 2^31. */
static inline int32_t floor_of(double x)
{
    const int32_t cut = (int32_t)x;
    return cut - (x < (double)cut);
}

static inline int32_t nearest(double x)
{
    return floor_of(x + 0.5);
}

/* 0 for what is not below 2^30, infinite or no number, without a branch. */
static inline double bounded(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= -(((bits & UINT64_MAX >> 1) - UINT64_C(0x41d0000000000000)) >> 63);
    memcpy(&x, &bits, sizeof x);
    return x;
}

#endif
