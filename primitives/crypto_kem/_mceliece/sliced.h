/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef MCELIECE_SLICED_H
#define MCELIECE_SLICED_H

/* GF(2^m) for many elements at once: slice b of a `sliced` holds bit b of each.
 * A slice is a vector of the target's own width in 64-bit words.  And the support:
 * the elements that belong to the positions of the code, bit by bit. */

#include "parameters.h"

#if defined(__AVX512F__)
#define SLICE_WORDS 8
#elif defined(__AVX2__)
#define SLICE_WORDS 4
#else
#define SLICE_WORDS 2
#endif
#define SLICE_BITS (64 * SLICE_WORDS)
#define GROUPS ((N + SLICE_BITS - 1) / SLICE_BITS) /* of slices for n elements */
#define CODE_WORDS (GROUPS * SLICE_WORDS)          /* of a word of the code, zeros behind it */

typedef uint64_t slice __attribute__((vector_size(8 * SLICE_WORDS)));

typedef struct {
    slice bit[M];
} sliced;

/* z^13 = z^4 + z^3 + z + 1, z^12 = z^3 + 1 */
static inline void sliced_reduce(sliced *out, slice p[2 * M - 1])
{
#pragma GCC unroll 12
    for (int i = 2 * M - 2; i >= M; i--)
#pragma GCC unroll 5
        for (int b = 0; b < 5; b++)
            if (MODULUS >> b & 1) p[i - M + b] ^= p[i];
#pragma GCC unroll 13
    for (int i = 0; i < M; i++) out->bit[i] = p[i];
}

static void sliced_multiply(sliced *out, const sliced *x, const sliced *y)
{
    slice p[2 * M - 1] = {{0}};
#pragma GCC unroll 13
    for (int i = 0; i < M; i++)
#pragma GCC unroll 13
        for (int j = 0; j < M; j++) p[i + j] ^= x->bit[i] & y->bit[j];
    sliced_reduce(out, p);
}

static void sliced_square(sliced *out, const sliced *x)
{
    slice p[2 * M - 1] = {{0}};
    for (int i = 0; i < M; i++) p[2 * i] = x->bit[i];
    sliced_reduce(out, p);
}

/* x^(2^m - 2), not in place */
static void sliced_invert(sliced *out, const sliced *x)
{
    sliced power;
    sliced_square(&power, x);
    *out = power;
    for (int i = 2; i < M; i++) {
        sliced_square(&power, &power);
        sliced_multiply(out, out, &power);
    }
}

/* Adds the same c to each element. */
static inline void sliced_add(sliced *x, uint16_t c)
{
    for (int i = 0; i < M; i++) x->bit[i] ^= -(uint64_t)(c >> i & 1);
}

/* A monic polynomial of degree t, of which p has the lower coefficients, at x. */
static void sliced_evaluate(sliced *out, const uint16_t p[T], const sliced *x)
{
    sliced y = *x;
    sliced_add(&y, p[T - 1]);
    for (int i = T - 2; i >= 0; i--) {
        sliced_multiply(&y, &y, x);
        sliced_add(&y, p[i]);
    }
    *out = y;
}

/* ---- the support ----------------------------------------------------------- */

/* All elements of the field, in the order of the secret key; behind them what may
 * be read, and is not used. */
#define PLANE_WORDS (Q / 64 + 32)
struct support {
    uint64_t plane[M][PLANE_WORDS];
};

/* a_i for i = at, at + 1, ... */
static void support_elements(sliced *x, const struct support *s, unsigned at)
{
    for (int b = 0; b < M; b++) {
        uint64_t words[SLICE_WORDS];
        const uint64_t *from = s->plane[b] + at / 64;
        for (int w = 0; w < SLICE_WORDS; w++) words[w] = from[w] >> at % 64 | from[w + 1] << 1 << (63 - at % 64);
        memcpy(&x->bit[b], words, sizeof words);
    }
}

#endif
