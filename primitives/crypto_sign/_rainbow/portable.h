/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef RAINBOW_PORTABLE_H
#define RAINBOW_PORTABLE_H

/* Keys and signatures of Rainbow in portable C.  No index and no branch depends
 * on a value, but for the number of attempts. */

#include "crypto_declassify.h"
#include "parameters.h"

static inline uint8_t mul(uint8_t a, uint8_t b)
{
    uint8_t r = 0;
    for (int i = 0; i < 8; i++) {
        r ^= a & (uint8_t)(0 - (b >> i & 1));
        a = (uint8_t)(a << 1) ^ (0x4d & (uint8_t)(0 - (a >> 7)));
    }
    return r;
}

static uint8_t invert_element(uint8_t a) /* a^254 */
{
    uint8_t r = a;
    for (int i = 0; i < 6; i++) r = mul(mul(r, r), a);
    return mul(r, r);
}

static void add_multiple(uint8_t *row, const uint8_t *other, uint8_t factor, int length)
{
    for (int i = 0; i < length; i++) row[i] ^= mul(factor, other[i]);
}

static uint8_t dot(const uint8_t *a, const uint8_t *b, int length)
{
    uint8_t r = 0;
    for (int i = 0; i < length; i++) r ^= mul(a[i], b[i]);
    return r;
}

/* Makes the left n columns the unit matrix, or returns -1 where they are
 * singular.  A row whose pivot is 0 gets rows below added until it is not; what
 * is done depends on no value but whether a pivot cannot be had. */
static int eliminate(uint8_t *m, int n, int columns)
{
    for (int c = 0; c < n; c++) {
        uint8_t *row = m + c * columns, scale, singular;
        for (int r = c + 1; r < n; r++) {
            uint8_t wanted = (uint8_t)(((unsigned)row[c] - 1) >> 8 & 1);
            add_multiple(row, m + r * columns, wanted, columns);
        }
        singular = (uint8_t)(((unsigned)row[c] - 1) >> 8 & 1);
        crypto_declassify(&singular, 1); /* of an attempt that is thrown away */
        if (singular) return -1;
        scale = invert_element(row[c]);
        for (int i = 0; i < columns; i++) row[i] = mul(scale, row[i]);
        for (int r = 0; r < n; r++)
            if (r != c) add_multiple(m + r * columns, row, m[r * columns + c], columns);
    }
    return 0;
}

static int invert_matrix(uint8_t *inverse, const uint8_t *matrix, int n)
{
    uint8_t both[VARIABLES * 2 * VARIABLES] = {0};
    for (int i = 0; i < n; i++) {
        memcpy(both + 2 * n * i, matrix + n * i, (size_t)n);
        both[2 * n * i + n + i] = 1;
    }
    if (eliminate(both, n, 2 * n) != 0) return -1;
    for (int i = 0; i < n; i++) memcpy(inverse + n * i, both + 2 * n * i + n, (size_t)n);
    return 0;
}

/* ---- key generation --------------------------------------------------- */

/* A polynomial of a layer as a quadratic form in the variables and 1: rows of
 * vinegars, and the row of 1. */
static void form_of(uint8_t form[ALL][ALL], const uint8_t *p, struct layer l)
{
    const uint8_t *products = p + products_at(l);
    memset(form, 0, ALL * ALL);
    for (int i = 0; i < l.oils; i++)
        for (int j = 0; j < l.vinegar; j++) form[j][l.vinegar + i] = p[i * l.vinegar + j];
    for (int i = 0; i < l.vinegar; i++)
        for (int j = i; j < l.vinegar; j++) form[i][j] = *products++;
    memcpy(form[VARIABLES], p + linear_at(l), (size_t)(l.vinegar + l.oils));
    form[VARIABLES][VARIABLES] = p[constant_at(l)];
}

/* The form after x -> inner x + affine, as an equation's coefficients. */
static void substitute(uint8_t out[TERMS], uint8_t form[ALL][ALL], uint8_t inner[ALL][ALL], int vinegar)
{
    uint8_t half[ALL][ALL] = {{0}}, full[ALL][ALL] = {{0}};
    for (int i = 0; i < ALL; i++) {
        if (i >= vinegar && i != VARIABLES) continue; /* a row of zeros */
        for (int j = 0; j < ALL; j++) add_multiple(half[i], inner[j], form[i][j], ALL);
        for (int j = 0; j < ALL; j++) add_multiple(full[j], half[i], inner[i][j], ALL);
    }
    for (int i = 0; i < ALL; i++)
        for (int j = i; j < ALL; j++) *out++ = i == j ? full[i][i] : full[i][j] ^ full[j][i];
}

static void expand_public(uint8_t *pk, const uint8_t *outer, const uint8_t *inner, const uint8_t *sk)
{
    uint8_t matrix[ALL][ALL] = {{0}}, form[ALL][ALL], equation[TERMS];
    const uint8_t *p = sk + CENTRAL;
    int k = 0;
    for (int i = 0; i < VARIABLES; i++) {
        memcpy(matrix[i], inner + VARIABLES * i, VARIABLES);
        matrix[i][VARIABLES] = sk[INNER_AFFINE + i];
    }
    matrix[VARIABLES][VARIABLES] = 1;
    memset(pk, 0, EQUATIONS * TERMS);
    for (int n = 0; n < LAYERS; n++)
        for (int i = 0; i < layers[n].oils; i++, k++, p += polynomial_bytes(layers[n])) {
            form_of(form, p, layers[n]);
            substitute(equation, form, matrix, layers[n].vinegar);
            for (int j = 0; j < EQUATIONS; j++)
                add_multiple(pk + TERMS * j, equation, outer[EQUATIONS * j + k], TERMS);
        }
    for (int j = 0; j < EQUATIONS; j++) pk[TERMS * j + TERMS - 1] ^= sk[OUTER_AFFINE + j];
}

/* ---- signing ------------------------------------------------ */

/* The oils of a layer, whose vinegars are known; -1 where they have no one solution. */
static int solve_layer(uint8_t *x, const uint8_t *values, const uint8_t *p, struct layer l)
{
    uint8_t system[MOST_OILS * (MOST_OILS + 1)];
    int columns = l.oils + 1;
    for (int k = 0; k < l.oils; k++, p += polynomial_bytes(l)) {
        const uint8_t *products = p + products_at(l), *linear = p + linear_at(l);
        uint8_t known = values[k] ^ p[constant_at(l)] ^ dot(linear, x, l.vinegar);
        for (int i = 0; i < l.vinegar; products += l.vinegar - i, i++)
            known ^= mul(x[i], dot(products, x + i, l.vinegar - i));
        for (int i = 0; i < l.oils; i++)
            system[columns * k + i] = linear[l.vinegar + i] ^ dot(p + l.vinegar * i, x, l.vinegar);
        system[columns * k + l.oils] = known;
    }
    if (eliminate(system, l.oils, columns) != 0) return -1;
    for (int i = 0; i < l.oils; i++) x[l.vinegar + i] = system[columns * i + l.oils];
    return 0;
}

static int solve_central(uint8_t x[VARIABLES], const uint8_t values[EQUATIONS], const uint8_t *p)
{
    for (int n = 0; n < LAYERS; n++) {
        if (solve_layer(x, values, p, layers[n]) != 0) return -1;
        values += layers[n].oils;
        p += layers[n].oils * polynomial_bytes(layers[n]);
    }
    return 0;
}

static int preimage(uint8_t out[VARIABLES], const uint8_t wanted[EQUATIONS], const uint8_t *sk)
{
    uint8_t moved[EQUATIONS], values[EQUATIONS], x[VARIABLES];
    int attempts = 0;
    for (int i = 0; i < EQUATIONS; i++) moved[i] = wanted[i] ^ sk[OUTER_AFFINE + i];
    for (int i = 0; i < EQUATIONS; i++)
        values[i] = dot(sk + OUTER_INVERSE + EQUATIONS * i, moved, EQUATIONS);
    do {
        if (attempts++ == ATTEMPTS) return -1;
        randombytes(x, VINEGAR);
    } while (solve_central(x, values, sk + CENTRAL) != 0);
    for (int i = 0; i < VARIABLES; i++) x[i] ^= sk[INNER_AFFINE + i];
    for (int i = 0; i < VARIABLES; i++) out[i] = dot(sk + INNER_INVERSE + VARIABLES * i, x, VARIABLES);
    return 0;
}

#endif
