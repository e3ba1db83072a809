/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef FALCON_TREE_H
#define FALCON_TREE_H

/* The Falcon tree and the sampling along it: sections 3.8.3 and 3.9.1.
 *
 * A tree of degree m is m doubles, L10 of the node, and two trees of degree m/2,
 * first that of D00; a tree of degree 1 is the leaf, a standard deviation. */

#include "sampler.h"

static inline unsigned tree_size(unsigned m)
{
    unsigned size = 1;
    for (unsigned k = 1; k < m; k *= 2) size = 2 * (size + k);
    return size;
}

/* sigma / sqrt(x).  Newton's iteration for 1/sqrt from 1/sqrt(q): Gram-Schmidt lengths squared are q within a
 * factor of 1.37 (section 3.8.2), so five steps reach the last bit, and the sixth settles it.  With a key for which they are not, the
 * iteration ends outside the leaves' bounds, or is right. */
static double leaf_of(double x)
{
    double y = 0x1.2797601ec87d3p-7;
    for (int i = 0; i < 6; i++) y = y * (1.5 - 0.5 * x * y * y);
    return SIGMA * y;
}

/* The tree of degree m below D, self-adjoint of degree 2m: m real values, lost.
 * `work` has m doubles more. Algorithm 9, ffLDL. */
static void tree_below(double *tree, double *d, unsigned m, double *work)
{
    if (m == 1) {
        *tree = leaf_of(*d);
        return;
    }
    const unsigned h = m / 2;
    double *const left = tree + m, *const right = left + tree_size(h), *const d00 = work, *const d11 = work + h;
    for (unsigned i = 0; i < h; i++) { /* the matrix [[d0, d1], [d1*, d0]] of d's halves */
        const struct complex half = {0.5 * (d[2 * i] - d[2 * i + 1]), 0}, d1 = times_conjugate(half, fft_root(h + i));
        d00[i] = 0.5 * (d[2 * i] + d[2 * i + 1]);
        set_value(tree, m, i, (struct complex){d1.re / d00[i], -d1.im / d00[i]});
        d11[i] = d00[i] - (d1.re * d1.re + d1.im * d1.im) / d00[i];
    }
    tree_below(left, d00, h, d);
    tree_below(right, d11, h, d);
}

/* The tree of B B*, B the transformed basis. */
static void tree_build(double tree[N * (LOGN + 1)], const double basis[2][2][N])
{
    double d00[N / 2], d11[N / 2], work[N / 2];
    for (unsigned i = 0; i < N / 2; i++) {
        const struct complex a = value(basis[0][0], N, i), b = value(basis[0][1], N, i);
        const struct complex c = value(basis[1][0], N, i), d = value(basis[1][1], N, i);
        const struct complex ca = times_conjugate(c, a), db = times_conjugate(d, b);
        const double re = ca.re + db.re, im = ca.im + db.im;
        const double g11 = c.re * c.re + c.im * c.im + d.re * d.re + d.im * d.im;
        d00[i] = a.re * a.re + a.im * a.im + b.re * b.re + b.im * b.im;
        set_value(tree, N, i, (struct complex){re / d00[i], im / d00[i]});
        d11[i] = g11 - (re * re + im * im) / d00[i];
    }
    tree_below(tree + N, d00, N / 2, work);
    tree_below(tree + N + tree_size(N / 2), d11, N / 2, work);
}

/* Whether a leaf is beyond the sampler's deviations, or no number: so in no key that KeyGen makes. */
static int leaves_wrong(const double *tree, unsigned m)
{
    if (m == 1) return !((*tree >= SIGMA_MIN) & (*tree <= SIGMA_MAX));
    return leaves_wrong(tree + m, m / 2) | leaves_wrong(tree + m + tree_size(m / 2), m / 2);
}

/* Algorithm 11, ffSampling: z instead of t.  `work` has 4m doubles. */
static void ff_sampling(struct generator *g, double *t0, double *t1, const double *tree, unsigned m, double *work)
{
    if (m == 1) {
        *t0 = sampler_z(g, *t0, *tree);
        *t1 = sampler_z(g, *t1, *tree);
        return;
    }
    const unsigned h = m / 2;
    const double *const left = tree + m, *const right = left + tree_size(h);
    double *const even = work, *const odd = even + h, *const z1 = odd + h, *const more = z1 + m;
    split(even, odd, t1, m);
    ff_sampling(g, even, odd, right, h, more);
    merge(z1, even, odd, m);
    for (unsigned i = 0; i < h; i++) {
        const struct complex t = value(t1, m, i), z = value(z1, m, i);
        const struct complex by = times((struct complex){t.re - z.re, t.im - z.im}, value(tree, m, i));
        t0[i] += by.re;
        t0[h + i] += by.im;
    }
    for (unsigned i = 0; i < m; i++) t1[i] = z1[i];
    split(even, odd, t0, m);
    ff_sampling(g, even, odd, left, h, more);
    merge(t0, even, odd, m);
}

#endif
