/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef MCELIECE_REF_H
#define MCELIECE_REF_H

/* What scheme.h wants, as textbooks tell it: polynomials are arrays of
 * coefficients, the constant one first; matrices are arrays of bits. */

#include "words.h"

/* a += c X^shift b, for n coefficients of b */
static void add_multiple(uint16_t *a, const uint16_t *b, uint16_t c, int shift, int n)
{
    for (int i = 0; i < n; i++) a[i + shift] ^= gf_multiply(c, b[i]);
}

static uint16_t evaluate(const uint16_t *p, int degree, uint16_t x)
{
    uint16_t y = p[degree];

    for (int i = degree - 1; i >= 0; i--) y = gf_multiply(y, x) ^ p[i];
    return y;
}

/* a = a z modulo z^32 + z^7 + z^3 + z^2 + 1 */
static void times_z(uint16_t a[32])
{
    uint16_t top = a[31];

    memmove(a + 1, a, 31 * sizeof a[0]);
    a[0] = top;
    a[2] ^= top;
    a[3] ^= top;
    a[7] ^= top;
}

/* Rows r: the coefficients of z^r in a^0, ..., a^32.  Eliminating the first 32
 * columns leaves in the last how a^32 is made of the others. */
static int goppa_minimal(uint16_t g[33], const uint16_t a[32])
{
    uint16_t m[32][33] = {{1}}, power[32] = {1}, shifted[32], next[32];

    for (int k = 1; k <= 32; k++) {
        memset(next, 0, sizeof next);
        memcpy(shifted, a, sizeof shifted);
        for (int i = 0; i < 32; i++, times_z(shifted))
            add_multiple(next, shifted, power[i], 0, 32);
        memcpy(power, next, sizeof power);
        for (int i = 0; i < 32; i++) m[i][k] = power[i];
    }
    for (int k = 0; k < 32; k++) {
        int r = k;
        while (r < 32 && m[r][k] == 0) r++;
        if (r == 32) return -1;
        uint16_t inverse = gf_invert(m[r][k]);
        for (int i = 0; i < 33; i++) {
            uint16_t t = gf_multiply(m[r][i], inverse);
            m[r][i] = m[k][i];
            m[k][i] = t;
        }
        for (int i = 0; i < 32; i++)
            if (i != k) add_multiple(m[i], m[k], m[i][k], 0, 33);
    }
    for (int i = 0; i < 32; i++) g[i] = m[i][32];
    g[32] = 1;
    return 0;
}

/* 1/(X - x) modulo g: with g(X) - g(x) = (X - x) q(X) it is q(X) / g(x). */
static void syndrome_of(uint16_t s[32], const uint16_t g[33], uint16_t x)
{
    uint16_t inverse = gf_invert(evaluate(g, 32, x)), q = 0;

    for (int i = 31; i >= 0; i--) {
        q = gf_multiply(q, x) ^ g[i + 1];
        s[i] = gf_multiply(q, inverse);
    }
}

#define MATRIX_ROWS (11 * 32)
struct matrix {
    uint64_t row[MATRIX_ROWS][32]; /* 2048 columns, as bits */
};

static unsigned matrix_bit(const struct matrix *m, int r, int column)
{
    return m->row[r][column / 64] >> column % 64 & 1;
}

static void matrix_add_row(struct matrix *m, int to, int from)
{
    for (int w = 0; w < 32; w++) m->row[to][w] ^= m->row[from][w];
}

static void swap_columns(struct matrix *m, uint16_t L[2048], int i, int j)
{
    uint16_t t = L[i];

    L[i] = L[j];
    L[j] = t;
    for (int r = 0; r < MATRIX_ROWS; r++)
        if (matrix_bit(m, r, i) != matrix_bit(m, r, j)) {
            m->row[r][i / 64] ^= (uint64_t)1 << i % 64;
            m->row[r][j / 64] ^= (uint64_t)1 << j % 64;
        }
}

/* Row r gets a 1 in `column`, which trades places with one further left if no row
 * from r on has a 1 there. */
static int find_pivot(struct matrix *m, uint16_t L[2048], int r, int column)
{
    for (int other = column; other >= 0; other--) {
        int s = r;
        while (s < MATRIX_ROWS && !matrix_bit(m, s, other)) s++;
        if (s == MATRIX_ROWS) {
            if (other == column) other = 1696; /* not among the parities */
            continue;
        }
        if (s != r) matrix_add_row(m, r, s);
        if (other != column) swap_columns(m, L, other, column);
        return 0;
    }
    return -1;
}

/* The parity check matrix of the code, with the identity in its last columns. */
static int goppa_generator(unsigned char *pk, uint16_t L[2048], const uint16_t g[33])
{
    struct matrix m = {{{0}}};
    uint16_t s[32];

    for (int j = 0; j < 2048; j++) {
        syndrome_of(s, g, L[j]);
        for (int r = 0; r < MATRIX_ROWS; r++)
            m.row[r][j / 64] |= (uint64_t)(s[r / 11] >> r % 11 & 1) << j % 64;
    }
    for (int r = 0; r < MATRIX_ROWS; r++) {
        if (find_pivot(&m, L, r, 1696 + r)) return -1;
        for (int i = 0; i < MATRIX_ROWS; i++)
            if (i != r && matrix_bit(&m, i, 1696 + r)) matrix_add_row(&m, i, r);
    }
    memset(pk, 0, crypto_encrypt_PUBLICKEYBYTES);
    for (int i = 0; i < 1696; i++)
        for (int r = 0; r < MATRIX_ROWS; r++)
            pk[i * PUBLIC_ROW + r / 8] |= (unsigned char)(matrix_bit(&m, r, i) << r % 8);
    return 0;
}

/* The square root of X modulo g: X^(2^351). */
static void root_of_x(uint16_t root[32], const uint16_t g[33])
{
    uint16_t square[64] = {0, 1};

    for (int n = 0; n < 351; n++) {
        for (int i = 31; i >= 0; i--) {
            square[2 * i] = gf_multiply(square[i], square[i]);
            square[2 * i + 1] = 0;
        }
        for (int i = 63; i >= 32; i--) add_multiple(square, g, square[i], i - 32, 33);
    }
    memcpy(root, square, 32 * sizeof root[0]);
}

static void goppa_complete(unsigned char *sk)
{
    uint16_t g[33], s[32], root[32], power[32];

    for (unsigned i = 0; i < 33; i++) g[i] = word16(sk, AT_POLYNOMIAL + i);
    for (unsigned j = 0; j < 2048; j++) {
        syndrome_of(s, g, word16(sk, j));
        for (unsigned i = 0; i < 32; i++) put_word16(sk, AT_SYNDROMES + 32 * j + i, s[i]);
    }
    root_of_x(root, g);
    for (unsigned i = 0; i < 32; i++) {
        /* X^(i/2), times the root of X for odd i */
        memset(power, 0, sizeof power);
        if (i % 2)
            memcpy(power, root, sizeof power);
        else
            power[0] = 1;
        for (unsigned n = 0; n < i / 2; n++) {
            uint16_t top = power[31];
            memmove(power + 1, power, 31 * sizeof power[0]);
            power[0] = 0;
            add_multiple(power, g, top, 0, 32);
        }
        for (unsigned k = 0; k < 32; k++) put_word16(sk, AT_ROOTS + 32 * i + k, power[k]);
    }
}

static int degree_of(const uint16_t *p, int most)
{
    while (most >= 0 && p[most] == 0) most--;
    return most;
}

/* Euclid's algorithm on g and p, until a remainder has degree `enough` or less:
 * remainder = factor p modulo g. */
static void euclid(uint16_t remainder[33], uint16_t factor[33], const uint16_t g[33],
                   const uint16_t p[32], int enough)
{
    uint16_t a[33], u[33] = {0}, b[33] = {0}, v[33] = {1};
    uint16_t *ra = a, *rb = b, *fa = u, *fb = v, *t;
    int da = 32, db = degree_of(p, 31);

    memcpy(a, g, sizeof a);
    memcpy(b, p, 32 * sizeof b[0]);
    while (db > enough) {
        uint16_t inverse = gf_invert(rb[db]);
        while (da >= db) {
            uint16_t c = gf_multiply(ra[da], inverse);
            add_multiple(ra, rb, c, da - db, db + 1);
            add_multiple(fa, fb, c, da - db, 33 - (da - db));
            da = degree_of(ra, da);
        }
        t = ra, ra = rb, rb = t;
        t = fa, fa = fb, fb = t;
        int d = da;
        da = db;
        db = d;
    }
    memcpy(remainder, rb, 33 * sizeof rb[0]);
    memcpy(factor, fb, 33 * sizeof fb[0]);
}

/* Patterson's algorithm: the polynomial whose roots are the wrong positions. */
static int error_locator(uint16_t sigma[33], const uint16_t syndrome[32],
                         const unsigned char *sk)
{
    uint16_t g[33], constant[33], t[33], root[32] = {0}, u[33], v[33];

    for (unsigned i = 0; i < 33; i++) g[i] = word16(sk, AT_POLYNOMIAL + i);
    if (degree_of(syndrome, 31) < 0) return -1;
    euclid(constant, t, g, syndrome, 0); /* t = constant/syndrome */
    uint16_t inverse = gf_invert(constant[0]);
    for (int i = 0; i < 32; i++) t[i] = gf_multiply(t[i], inverse);
    t[1] ^= 1;
    for (unsigned i = 0; i < 32; i++)
        for (unsigned k = 0; k < 32; k++)
            root[k] ^= gf_multiply(gf_root(t[i]), word16(sk, AT_ROOTS + 32 * i + k));
    euclid(u, v, g, root, 16); /* u = v root, and sigma = u^2 + X v^2 */
    for (int i = 0; i < 16; i++) {
        sigma[2 * i] = gf_multiply(u[i], u[i]);
        sigma[2 * i + 1] = gf_multiply(v[i], v[i]);
    }
    sigma[32] = gf_multiply(u[16], u[16]);
    return sigma[32] ? 0 : -1;
}

static int goppa_decode(uint64_t errors[32], const unsigned char *word,
                        const unsigned char *sk)
{
    uint16_t syndrome[32] = {0}, sigma[33];
    int found = 0;

    for (unsigned j = 0; j < 2048; j++)
        for (unsigned i = 0; i < 32 && (word[j / 8] >> j % 8 & 1); i++)
            syndrome[i] ^= word16(sk, AT_SYNDROMES + 32 * j + i);
    if (error_locator(sigma, syndrome, sk)) return -1;
    memset(errors, 0, 32 * sizeof errors[0]);
    for (unsigned j = 0; j < 2048; j++)
        if (evaluate(sigma, 32, word16(sk, j)) == 0) {
            errors[j / 64] |= (uint64_t)1 << j % 64;
            found++;
        }
    return found == 32 ? 0 : -1;
}

static void goppa_parity(unsigned char parity[44], const unsigned char message[212],
                         const unsigned char *pk)
{
    memset(parity, 0, 44);
    for (unsigned i = 0; i < 1696; i++)
        for (unsigned k = 0; k < 44 && (message[i / 8] >> i % 8 & 1); k++)
            parity[k] ^= pk[PUBLIC_ROW * i + k];
}

#endif
