/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef FALCON_NTRU_H
#define FALCON_NTRU_H

/* Algorithm 6, NTRUSolve: F and G with f G - g F = q, by field norms down to
 * numbers and back, each depth with Babai's reduction (algorithm 7) in doubles.
 *
 * At depth d there are m = N/2^d coefficients.  Limbs are fixed by the depth: of f
 * and g their mean length and seven standard deviations, measured over random
 * keys; of F and G one more once reduced, and before that the sum of what is
 * multiplied.  So nothing depends on values, and a key for which this is too short,
 * or doubles too coarse, fails the last test. */

#include "bezout.h"
#include "fft.h"
#include "parameters.h"

static const uint8_t small_limbs[11] = {1, 1, 1, 2, 4, 8, 15, 29, 56, 111, 219};
static const uint8_t reduced_limbs[11] = {1, 1, 2, 3, 5, 9, 16, 30, 57, 112, 220};

#define WINDOW 14      /* limbs of f that count for a quotient */
#define MOST_SMALL 3800 /* limbs of f at all depths: at most 3697 */
#define MOST_LARGE (4 * N)

struct ntru {
    int32_t f[MOST_SMALL], g[MOST_SMALL]; /* depth after depth */
    int32_t F[MOST_LARGE], G[MOST_LARGE], next[MOST_LARGE], product[MOST_LARGE];
    double a[N], b[N], c[N], d[N], norm[N / 2];
};

/* N(a) = a_even^2 - x a_odd^2 */
static void field_norm(int32_t *out, unsigned limbs, const int32_t *a, unsigned A, unsigned m, struct ntru *w)
{
    const unsigned h = m / 2;
    int32_t *const even = w->F, *const odd = w->G, *const square = w->product;
    for (unsigned i = 0; i < h; i++)
        for (unsigned j = 0; j < A; j++) {
            even[i * A + j] = a[2 * i * A + j];
            odd[i * A + j] = a[(2 * i + 1) * A + j];
        }
    big_polynomial(out, limbs, even, A, h, even, A, h, 0);
    big_polynomial(square, limbs, odd, A, h, odd, A, h, 0);
    for (unsigned i = 0; i + 1 < h; i++) big_subtract(out + (i + 1) * limbs, limbs, square + i * limbs, limbs, 0);
    big_negate(square + (h - 1) * limbs, limbs, 1);
    big_subtract(out, limbs, square + (h - 1) * limbs, limbs, 0);
}

static void to_doubles(double *out, const int32_t *a, unsigned limbs, unsigned m, unsigned from, unsigned most)
{
    for (unsigned i = 0; i < m; i++) out[i] = big_double(a + i * limbs, limbs, from, most);
    fft(out, m);
}

/* F, of `large` limbs, less k f 2^(30 shift) */
static void reduce_by(int32_t *F, unsigned large, const int32_t *k, const int32_t *f, unsigned small, unsigned m,
                      unsigned shift, int32_t *product)
{
    big_polynomial(product, small + 2, k, 1, m, f, small, m, 0);
    for (unsigned i = 0; i < m; i++)
        big_subtract(F + i * large, large, product + i * (small + 2), small + 2, shift);
}

/* k = (F f* + G g*) / (f f* + g g*), rounded; from (a, b) and (c, d), the transforms of f, g, F and G. */
static void quotient(int32_t *k, struct ntru *w, unsigned m)
{
    for (unsigned i = 0; i < m / 2; i++) {
        const struct complex x = times_conjugate(value(w->c, m, i), value(w->a, m, i));
        const struct complex y = times_conjugate(value(w->d, m, i), value(w->b, m, i));
        set_value(w->c, m, i, (struct complex){(x.re + y.re) / w->norm[i], (x.im + y.im) / w->norm[i]});
    }
    fft_inverse(w->c, m);
    for (unsigned i = 0; i < m; i++) k[i] = nearest(bounded(w->c[i]));
}

/* Babai's reduction, a limb of F and G at a time from the top, and twice more at the bottom.  The deeper, the wider
 * apart are the values of f at different roots, and with them the accuracy of quotients: a limb needs two rounds. */
static void reduce(struct ntru *w, const int32_t *f, const int32_t *g, unsigned small, unsigned large, unsigned m)
{
    const unsigned from = small > WINDOW ? small - WINDOW : 0;
    int32_t k[N];
    to_doubles(w->a, f, small, m, from, WINDOW);
    to_doubles(w->b, g, small, m, from, WINDOW);
    for (unsigned i = 0; i < m / 2; i++) {
        const struct complex x = value(w->a, m, i), y = value(w->b, m, i);
        w->norm[i] = x.re * x.re + x.im * x.im + y.re * y.re + y.im * y.im;
    }
    const unsigned rounds = small > 1 ? 2 : 1;
    for (unsigned round = rounds * (large - small + 2); round-- > 0;) {
        const unsigned step = round / rounds, shift = step > 2 ? step - 2 : 0;
        to_doubles(w->c, w->F, large, m, from + shift, WINDOW + 3);
        to_doubles(w->d, w->G, large, m, from + shift, WINDOW + 3);
        quotient(k, w, m);
        reduce_by(w->F, large, k, f, small, m, shift, w->product);
        reduce_by(w->G, large, k, g, small, m, shift, w->product);
    }
}

/* The first `kept` of `limbs` limbs of each coefficient, which the others only repeat. */
static void shorten(int32_t *a, unsigned limbs, unsigned kept, unsigned m)
{
    for (unsigned i = 0; i < m; i++) {
        for (unsigned j = 0; j < kept; j++) a[i * kept + j] = a[i * limbs + j];
        a[i * kept + kept - 1] = big_top(a[i * kept + kept - 1]);
    }
}

/* F = F'(x^2) g(-x) instead of F' */
static void lift(int32_t *F, unsigned large, unsigned reduced, const int32_t *g, unsigned small, unsigned m,
                 int32_t *next)
{
    big_polynomial(next, large, F, reduced, m / 2, g, small, m, 1);
    for (unsigned i = 0; i < m * large; i++) F[i] = next[i];
}

/* Whether f G - g F differs from q, or F or G does not fit. */
static int equation_wrong(struct ntru *w)
{
    uint32_t wrong = 0;
    for (unsigned i = 0; i < N; i++)
        wrong |= (uint32_t)((uint32_t)w->F[i] + 127 > 254) | (uint32_t)((uint32_t)w->G[i] + 127 > 254);
    big_polynomial(w->product, 1, w->f, 1, N, w->G, 1, N, 0);
    big_polynomial(w->next, 1, w->g, 1, N, w->F, 1, N, 0);
    for (unsigned i = 0; i < N; i++) wrong |= (uint32_t)(w->product[i] - w->next[i] - (i ? 0 : Q));
    return wrong != 0;
}

/* F and G for f and g, which are in the first N limbs of w and end there; whether there are none. */
static int ntru_solve(struct ntru *w)
{
    int32_t *f[LOGN + 1], *g[LOGN + 1];
    const int32_t q = Q;
    f[0] = w->f, g[0] = w->g;
    for (unsigned d = 0; d < LOGN; d++) {
        const unsigned m = N >> d, small = small_limbs[d], below = small_limbs[d + 1];
        f[d + 1] = f[d] + m * small, g[d + 1] = g[d] + m * small;
        field_norm(f[d + 1], below, f[d], small, m, w);
        field_norm(g[d + 1], below, g[d], small, m, w);
    }
    const unsigned last = reduced_limbs[LOGN];
    int wrong = bezout(w->next, w->product, f[LOGN], g[LOGN], small_limbs[LOGN]);
    big_zero(w->F, last), big_zero(w->G, last);
    big_mac(w->G, last, w->next, last, 1, &q, 1);
    big_mac(w->F, last, w->product, last, 1, &q, 1);
    for (unsigned d = LOGN; d-- > 0;) {
        const unsigned m = N >> d, small = small_limbs[d], below = reduced_limbs[d + 1], large = small + below;
        lift(w->F, large, below, g[d], small, m, w->next);
        lift(w->G, large, below, f[d], small, m, w->next);
        reduce(w, f[d], g[d], small, large, m);
        shorten(w->F, large, reduced_limbs[d], m);
        shorten(w->G, large, reduced_limbs[d], m);
    }
    return wrong | equation_wrong(w);
}

#endif
