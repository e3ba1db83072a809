/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef MCELIECE_SLICES_H
#define MCELIECE_SLICES_H

/* GF(2^11) for many elements at once: slice b of a `sliced` holds bit b of each.
 * A slice is a vector of the target's own width in 64-bit words. */

#include "words.h"

#if defined(__AVX512F__)
#define SLICE_WORDS 8
#elif defined(__AVX2__)
#define SLICE_WORDS 4
#else
#define SLICE_WORDS 2
#endif
#define SLICE_GROUPS (32 / SLICE_WORDS) /* that hold the 2048 elements of the field */

typedef uint64_t slice __attribute__((vector_size(8 * SLICE_WORDS)));

typedef struct {
    slice bit[11];
} sliced;

/* z^11 = z^2 + 1 */
static inline void sliced_reduce(sliced *out, slice p[21])
{
#pragma GCC unroll 10
    for (int i = 20; i >= 11; i--) {
        p[i - 9] ^= p[i];
        p[i - 11] ^= p[i];
    }
#pragma GCC unroll 11
    for (int i = 0; i < 11; i++) out->bit[i] = p[i];
}

static void sliced_multiply(sliced *out, const sliced *x, const sliced *y)
{
    slice p[21] = {{0}};

#pragma GCC unroll 11
    for (int i = 0; i < 11; i++)
#pragma GCC unroll 11
        for (int j = 0; j < 11; j++) p[i + j] ^= x->bit[i] & y->bit[j];
    sliced_reduce(out, p);
}

/* x^(2^n) */
static void sliced_squares(sliced *out, const sliced *x, int n)
{
    *out = *x;
    for (; n > 0; n--) {
        slice p[21] = {{0}};
        for (int i = 0; i < 11; i++) p[2 * i] = out->bit[i];
        sliced_reduce(out, p);
    }
}

/* As gf_invert. */
static void sliced_invert(sliced *out, const sliced *x)
{
    sliced e, t;

    sliced_squares(&t, x, 1);
    sliced_multiply(&e, &t, x);
    sliced_squares(&t, &e, 2);
    sliced_multiply(&e, &t, &e);
    sliced_squares(&t, &e, 1);
    sliced_multiply(&e, &t, x);
    sliced_squares(&t, &e, 5);
    sliced_multiply(&e, &t, &e);
    sliced_squares(out, &e, 1);
}

/* x += the same c in each element */
static inline void sliced_add(sliced *x, uint16_t c)
{
    for (int i = 0; i < 11; i++) x->bit[i] ^= -(uint64_t)(c >> i & 1);
}

/* Each lane of 64 bits a matrix of its own: bit c of m[r] <-> bit r of m[c]. */
static void transpose(slice m[64])
{
    uint64_t mask = ~(uint64_t)0;

    for (int k = 32; k > 0; k /= 2) {
        mask ^= mask << k;
        for (int i = 0; i < 64; i = (i + k + 1) & ~k) {
            slice t = ((m[i] >> k) ^ m[i + k]) & mask;
            m[i + k] ^= t;
            m[i] ^= t << k;
        }
    }
}

/* Element j is bit j % 64 of word j / 64 of the groups in a row. */
static void sliced_support(sliced x[SLICE_GROUPS], const uint16_t L[2048])
{
    for (int n = 0; n < SLICE_GROUPS; n += 4) {
        slice m[64]; /* four groups side by side, in 16 bits each */
        const uint16_t *at = L + 64 * SLICE_WORDS * n;
        for (int r = 0; r < 64; r++) {
            uint64_t row[SLICE_WORDS];
            for (int w = 0; w < SLICE_WORDS; w++) {
                const uint16_t *of = at + 64 * w + r;
                row[w] = of[0] | (uint64_t)of[64 * SLICE_WORDS] << 16 |
                         (uint64_t)of[128 * SLICE_WORDS] << 32 |
                         (uint64_t)of[192 * SLICE_WORDS] << 48;
            }
            memcpy(&m[r], row, sizeof row);
        }
        transpose(m);
        for (int s = 0; s < 4; s++)
            for (int b = 0; b < 11; b++) x[n + s].bit[b] = m[16 * s + b];
    }
}

/* The coefficients of 1/(X - x) modulo g: with g(X) - g(x) = (X - x) q(X) it is
 * q(X) / g(x). */
static void sliced_syndromes(sliced s[32], const uint16_t g[33], const sliced *x)
{
    sliced inverse, q = {{{0}}};

    q.bit[0] = ~q.bit[0]; /* g is monic */
    for (int i = 31; i >= 0; i--) {
        s[i] = q;
        sliced_multiply(&q, &q, x);
        sliced_add(&q, g[i]);
    }
    sliced_invert(&inverse, &q);
    for (int i = 0; i < 32; i++) sliced_multiply(&s[i], &s[i], &inverse);
}

#endif
