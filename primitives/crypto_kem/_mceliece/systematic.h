/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef MCELIECE_SYSTEMATIC_H
#define MCELIECE_SYSTEMATIC_H

/* The public key: with H = (A | B) the parity check matrix and A square, it is
 * A^-1 B, if A is invertible, which some 29 % are.  A alone decides that, so it is
 * taken apart into triangles first; B follows in panels, made when they are
 * wanted, so that the whole of H is never in memory. */

#include "sliced.h"

#define LEFT_WORDS ((ROWS + 63) / 64)
#define PANEL_SLICES (16 / SLICE_WORDS) /* 128 bytes */
#define PANEL_BITS (64 * 16)
#define SOUGHT 3 /* words of rows among which a pivot is sought */

struct triangles {
    uint64_t upper[ROWS][LEFT_WORDS]; /* less the diagonal */
    uint64_t lower[ROWS][LEFT_WORDS]; /* row k: the rows to which row k is added */
    uint64_t pivot[ROWS][SOUGHT];     /* row k: those added to row k before, from word k/64 on */
};

struct panel {
    slice part[PANEL_SLICES];
};

/* Column i of H has a_i^r / g(a_i), the bits of each below one another; so the
 * slices of these are H's rows.  w = 1 / g. */
static void left_columns(struct triangles *a, const struct support *s, const uint16_t g[T])
{
    for (unsigned at = 0; at < LEFT_WORDS; at += SLICE_WORDS) {
        sliced x, y, w;
        support_elements(&x, s, 64 * at);
        sliced_evaluate(&y, g, &x);
        sliced_invert(&w, &y);
        for (unsigned r = 0; r < ROWS; r += M, sliced_multiply(&w, &w, &x))
            for (unsigned b = 0; b < M; b++) {
                uint64_t words[SLICE_WORDS];
                memcpy(words, &w.bit[b], sizeof words);
                for (unsigned i = 0; i < SLICE_WORDS && at + i < LEFT_WORDS; i++) a->upper[r + b][at + i] = words[i];
            }
    }
#if ROWS % 64
    for (unsigned r = 0; r < ROWS; r++) a->upper[r][LEFT_WORDS - 1] &= ~(uint64_t)0 >> (64 - ROWS % 64);
#endif
}

static void panel_columns(struct panel b[ROWS], const struct support *s, const uint16_t g[T], unsigned at)
{
    for (unsigned i = 0; i < PANEL_SLICES; i++) {
        sliced x, y, w;
        support_elements(&x, s, at + SLICE_BITS * i);
        sliced_evaluate(&y, g, &x);
        sliced_invert(&w, &y);
        for (unsigned r = 0; r < ROWS; r += M, sliced_multiply(&w, &w, &x))
            for (unsigned c = 0; c < M; c++) b[r + c].part[i] = w.bit[c];
    }
}

/* Adds row `from` to row `to`, if asked to, from the word of column k on. */
static inline void add_row(uint64_t to[LEFT_WORDS], const uint64_t from[LEFT_WORDS], uint64_t mask, unsigned k)
{
    for (unsigned w = k / 64; w < LEFT_WORDS; w++) to[w] ^= from[w] & mask;
}

/* Not 0 when the left part is not invertible.  A pivot is sought in the next 129 to
 * 192 rows only.  That none is there, but further below, has a probability of less
 * than 2^-118 a key; then another key is drawn than the specification draws. */
static int triangulate(struct triangles *a)
{
    memset(a->lower, 0, sizeof a->lower);
    memset(a->pivot, 0, sizeof a->pivot);
    for (unsigned k = 0; k < ROWS; k++) {
        const unsigned word = k / 64, bit = k % 64, end = 64 * (word + SOUGHT);
        for (unsigned i = k + 1; i < ROWS && i < end; i++) {
            const uint64_t add = a->upper[i][word] >> bit & ~(a->upper[k][word] >> bit) & 1;
            a->pivot[k][i / 64 - word] |= add << i % 64;
            add_row(a->upper[k], a->upper[i], -add, k);
        }
        int none = !(a->upper[k][word] >> bit & 1);
        crypto_declassify(&none, sizeof none); /* then this seed is not used */
        if (none) return -1;
        for (unsigned i = k + 1; i < ROWS; i++) {
            const uint64_t add = a->upper[i][word] >> bit & 1;
            a->lower[k][i / 64] |= add << i % 64;
            add_row(a->upper[i], a->upper[k], -add, k);
        }
        a->upper[k][word] ^= (uint64_t)1 << bit;
    }
    return 0;
}

/* Adds to row k those rows whose bits are set; bits are of words first to end - 1. */
static void gather(struct panel b[ROWS], unsigned k, const uint64_t *bits, unsigned first, unsigned end)
{
    struct panel sum = b[k];
    for (unsigned w = first; w < end && w < LEFT_WORDS; w++) {
        uint64_t rest = bits[w - first];
        for (unsigned i = 64 * w; i < 64 * (w + 1) && i < ROWS; i++, rest >>= 1) {
            const uint64_t mask = -(rest & 1);
#pragma GCC unroll 8
            for (int j = 0; j < PANEL_SLICES; j++) sum.part[j] ^= b[i].part[j] & mask;
        }
    }
    b[k] = sum;
}

/* Adds row k to those rows. */
static void scatter(struct panel b[ROWS], unsigned k, const uint64_t bits[LEFT_WORDS])
{
    const struct panel row = b[k];
    for (unsigned w = k / 64; w < LEFT_WORDS; w++) {
        uint64_t rest = bits[w];
        for (unsigned i = 64 * w; i < 64 * (w + 1) && i < ROWS; i++, rest >>= 1) {
            const uint64_t mask = -(rest & 1);
#pragma GCC unroll 8
            for (int j = 0; j < PANEL_SLICES; j++) b[i].part[j] ^= row.part[j] & mask;
        }
    }
}

/* b = A^-1 b */
static void solve(const struct triangles *a, struct panel b[ROWS])
{
    for (unsigned k = 0; k < ROWS; k++) {
        gather(b, k, a->pivot[k], k / 64, k / 64 + SOUGHT);
        scatter(b, k, a->lower[k]);
    }
    for (unsigned k = ROWS; k-- > 0;) gather(b, k, a->upper[k] + k / 64, k / 64, LEFT_WORDS);
}

/* Columns `at` and on of the public key. */
static void put_panel(unsigned char *pk, const struct panel b[ROWS], unsigned at)
{
    const unsigned rest = ROW_BYTES - at / 8, bytes = rest < PANEL_BITS / 8 ? rest : PANEL_BITS / 8;
    for (unsigned r = 0; r < ROWS; r++) {
        unsigned char *row = pk + (size_t)ROW_BYTES * r, buffer[PANEL_BITS / 8];
        uint64_t words[PANEL_BITS / 64];
        memcpy(words, b[r].part, sizeof words);
        for (unsigned w = 0; w < PANEL_BITS / 64; w++) store_le64(buffer + 8 * w, words[w]);
        memcpy(row + at / 8, buffer, bytes);
#if K % 8
        row[ROW_BYTES - 1] &= (1u << K % 8) - 1;
#endif
    }
}

/* Not 0 when there is none. */
static int public_key(unsigned char *pk, const struct support *s, const uint16_t g[T])
{
    struct triangles a;
    struct panel b[ROWS];
    left_columns(&a, s, g);
    if (triangulate(&a)) return -1;
    for (unsigned at = 0; at < K; at += PANEL_BITS) {
        panel_columns(b, s, g, ROWS + at);
        solve(&a, b);
        put_panel(pk, b, at);
    }
    return 0;
}

#endif
