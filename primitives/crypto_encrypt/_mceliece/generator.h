/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef MCELIECE_GENERATOR_H
#define MCELIECE_GENERATOR_H

/* The systematic generator matrix.  The slices of the syndromes are the rows of a
 * parity check matrix; eight columns at a time become unit vectors, and all other
 * rows get rid of them at once, by a table of the 256 sums of eight rows. */

#include "slices.h"

#define MATRIX_ROWS 352
struct matrix {
    _Alignas(64) uint64_t row[MATRIX_ROWS][32];
};

static inline void matrix_add(uint64_t to[32], const uint64_t row[32])
{
    for (int w = 0; w < 32; w++) to[w] ^= row[w];
}

static inline unsigned matrix_byte(const uint64_t row[32], int column)
{
    return row[column / 64] >> column % 64 & 255;
}

static void matrix_swap_columns(struct matrix *m, uint16_t L[2048], int i, int j)
{
    uint16_t t = L[i];

    L[i] = L[j];
    L[j] = t;
    for (int r = 0; r < MATRIX_ROWS; r++) {
        uint64_t *row = m->row[r];
        uint64_t different = (row[i / 64] >> i % 64 ^ row[j / 64] >> j % 64) & 1;
        row[i / 64] ^= different << i % 64;
        row[j / 64] ^= different << j % 64;
    }
}

/* Row r and the rows behind it are not yet rid of the n columns before `column`;
 * row s gets so.  The pivots are rows r - n, ..., r - 1. */
static void matrix_clear(struct matrix *m, int s, int r, int n, int column)
{
    unsigned bits = matrix_byte(m->row[s], column - n);

    for (int i = 0; i < n; i++)
        if (bits >> i & 1) matrix_add(m->row[s], m->row[r - n + i]);
}

/* Exchanges `column`, in which no row from r on has a 1, for the rightmost one among
 * the messages' in which one has: every implementation takes that one.  Returns the
 * row. */
static int matrix_exchange(struct matrix *m, uint16_t L[2048], int r, int n, int column)
{
    uint64_t any[27] = {0};
    int w = 26, s = r;

    for (int i = r; i < MATRIX_ROWS; i++) {
        matrix_clear(m, i, r, n, column);
        for (int k = 0; k < 27; k++) any[k] |= m->row[i][k];
    }
    any[26] &= 0xffffffff;
    while (w >= 0 && any[w] == 0) w--;
    if (w < 0) return -1;
    matrix_swap_columns(m, L, 64 * w + 63 - __builtin_clzll(any[w]), column);
    while ((m->row[s][column / 64] >> column % 64 & 1) == 0) s++;
    return s;
}

/* Row r gets a 1 in `column` and zeros in the n columns before. */
static int matrix_pivot(struct matrix *m, uint16_t L[2048], int r, int n, int column)
{
    unsigned in_pivot[8], wanted = 1u << n;
    int s;

    for (int i = 0; i < n; i++)
        in_pivot[i] = matrix_byte(m->row[r - n + i], column - n) & wanted;
    for (s = r; s < MATRIX_ROWS; s++) {
        unsigned bits = matrix_byte(m->row[s], column - n), bit = bits & wanted;
        for (int i = 0; i < n; i++) bit ^= in_pivot[i] & -(bits >> i & 1);
        if (bit) break;
    }
    if (s == MATRIX_ROWS && (s = matrix_exchange(m, L, r, n, column)) < 0) return -1;
    if (s != r) {
        uint64_t t[32];
        memcpy(t, m->row[r], sizeof t);
        memcpy(m->row[r], m->row[s], sizeof t);
        memcpy(m->row[s], t, sizeof t);
    }
    matrix_clear(m, r, r, n, column);
    return 0;
}

/* Rows r, ..., r + 7 become the pivots of columns 1696 + r and on. */
static int matrix_eliminate(struct matrix *m, uint16_t L[2048], int r)
{
    static const uint64_t none[32];
    _Alignas(64) uint64_t sum[256][32];
    const int column = 1696 + r;

    for (int n = 0; n < 8; n++) {
        if (matrix_pivot(m, L, r + n, n, column + n)) return -1;
        for (int i = 0; i < n; i++)
            if (m->row[r + i][(column + n) / 64] >> (column + n) % 64 & 1)
                matrix_add(m->row[r + i], m->row[r + n]);
    }
    memcpy(sum[0], none, sizeof none);
    for (int n = 0; n < 8; n++)
        for (int i = 0; i < 1 << n; i++)
            for (int w = 0; w < 32; w++)
                sum[(1 << n) + i][w] = sum[i][w] ^ m->row[r + n][w];
    for (int s = 0; s < MATRIX_ROWS; s++)
        if (s < r || s >= r + 8)
            matrix_add(m->row[s], sum[matrix_byte(m->row[s], column)]);
    return 0;
}

/* Columns 0 ... 1695 as rows of bytes. */
static void matrix_transposed(unsigned char *pk, const struct matrix *m)
{
    for (int k = 0; k < 6; k++) {
        for (int at = 0; at < 27; at += SLICE_WORDS) {
            slice part[64] = {{0}};
            for (int r = 0; r < (k == 5 ? 32 : 64); r++)
                memcpy(&part[r], &m->row[64 * k + r][at], sizeof part[r]);
            transpose(part);
            for (int w = 0; w < SLICE_WORDS; w++)
                for (int i = 0; i < 64 && 64 * (at + w) + i < 1696; i++)
                    store_le64(pk + PUBLIC_ROW * (64 * (at + w) + i) + 8 * k,
                               part[i][w]);
        }
    }
}

static int goppa_generator(unsigned char *pk, uint16_t L[2048], const uint16_t g[33])
{
    sliced x[SLICE_GROUPS], s[32];
    struct matrix m;

    sliced_support(x, L);
    for (int n = 0; n < SLICE_GROUPS; n++) {
        sliced_syndromes(s, g, &x[n]);
        for (int r = 0; r < MATRIX_ROWS; r++)
            memcpy(&m.row[r][SLICE_WORDS * n], &s[r / 11].bit[r % 11], sizeof(slice));
    }
    for (int r = 0; r < MATRIX_ROWS; r += 8)
        if (matrix_eliminate(&m, L, r)) return -1;
    matrix_transposed(pk, &m);
    return 0;
}

static void goppa_parity(unsigned char parity[44], const unsigned char message[212],
                         const unsigned char *pk)
{
    uint64_t sum[6] = {0}, row[6];

    for (unsigned at = 0; at < 27; at++) {
        uint64_t rest = at < 26 ? load_le64(message + 8 * at) : load_le32(message + 208);
        for (; rest; rest &= rest - 1) {
            unsigned i = 64 * at + (unsigned)__builtin_ctzll(rest);
            memcpy(row, pk + PUBLIC_ROW * i, sizeof row);
            for (int w = 0; w < 6; w++) sum[w] ^= row[w];
        }
    }
    memcpy(parity, sum, 44);
}

#endif
