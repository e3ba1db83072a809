/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef MCELIECE_FIELD_H
#define MCELIECE_FIELD_H

/* GF(2^m), an element a polynomial in z, its coefficients the bits of a number;
 * vectors of elements, whose loops compilers turn into vector instructions; and
 * the Berlekamp-Massey algorithm over it. */

#include "parameters.h"

/* Coefficients of a polynomial of degree t, less the leading one, and zeros up to
 * a length that vectors like. */
#define LANES ((T + 31) / 32 * 32)

/* Horner's rule in z, reduced at each step. */
static inline uint16_t gf_multiply(uint16_t x, uint16_t y)
{
    uint16_t r = 0;
#pragma GCC unroll 13
    for (int i = M - 1; i >= 0; i--) {
        r = (uint16_t)(r << 1 ^ (MODULUS & -(r >> (M - 1))));
        r = (uint16_t)(r ^ (x & -(y >> i & 1)));
    }
    return r;
}

/* x^(2^m - 2); 0 for 0. */
static inline uint16_t gf_invert(uint16_t x)
{
    uint16_t power = x, r = 1;
    for (int i = 1; i < M; i++) {
        power = gf_multiply(power, power);
        r = gf_multiply(r, power);
    }
    return r;
}

/* out += c in */
static inline void gf_add_multiple(uint16_t out[LANES], const uint16_t in[LANES], uint16_t c)
{
    for (int i = 0; i < LANES; i++) out[i] ^= gf_multiply(in[i], c);
}

static inline uint16_t gf_inner(const uint16_t x[LANES], const uint16_t y[LANES])
{
    uint16_t sum = 0;
    for (int i = 0; i < LANES; i++) sum ^= gf_multiply(x[i], y[i]);
    return sum;
}

/* The shortest recurrence of s_0, ..., s_(2t-1): s_j + c[0] s_(j-1) + c[1] s_(j-2)
 * + ... = 0.  Returns its length L; the polynomial x^L + c[0] x^(L-1) + ... is the
 * sequence's minimal one.  What is longer than LANES is lost: such a result is of
 * no use.  Massey, Shift-register synthesis and BCH decoding, 1969. */
static unsigned shortest_recurrence(uint16_t c[LANES], const uint16_t s[2 * T])
{
    uint16_t backwards[2 * T + LANES] = {0}, b[LANES] = {1}, old[LANES], discrepancy_of_b = 1;
    unsigned length = 0;
    for (unsigned j = 0; j < 2 * T; j++) backwards[2 * T - 1 - j] = s[j];
    memset(c, 0, LANES * sizeof c[0]);
    for (unsigned j = 0; j < 2 * T; j++) {
        const uint16_t d = s[j] ^ gf_inner(c, backwards + 2 * T - j);
        const unsigned wrong = (unsigned)(0 - (uint32_t)d) >> 31, room = (2 * length - j - 1) >> 31;
        const uint16_t longer = (uint16_t)(0 - (wrong & room)); /* wrong, and 2 length <= j */
        memcpy(old, c, sizeof old);
        gf_add_multiple(c, b, gf_multiply(d, gf_invert(discrepancy_of_b)));
        for (int i = 0; i < LANES; i++) old[i] = (uint16_t)((old[i] & longer) | (b[i] & ~longer));
        memcpy(b + 1, old, sizeof b - sizeof b[0]); /* times x */
        b[0] = longer & 1;
        discrepancy_of_b = (uint16_t)((d & longer) | (discrepancy_of_b & ~longer));
        length ^= (length ^ (j + 1 - length)) & (unsigned)(0 - (wrong & room));
    }
    return length;
}

/* ---- GF(q^t) = F[y] / F(y) ------------------------------------------------- */

/* out = the product's coefficients, reduced. */
static void extension_reduce(uint16_t out[LANES], uint16_t product[2 * LANES])
{
    for (unsigned i = 2 * T - 2; i >= T; i--)
        for (unsigned j = 0; j < TERMS; j++)
            product[i - T + extension[j].exponent] ^= gf_multiply(product[i], extension[j].coefficient);
    memset(out, 0, LANES * sizeof out[0]);
    memcpy(out, product, T * sizeof out[0]);
}

static void extension_multiply(uint16_t out[LANES], const uint16_t x[LANES], const uint16_t y[LANES])
{
    uint16_t product[2 * LANES] = {0};
    for (unsigned i = 0; i < T; i++) gf_add_multiple(product + i, x, y[i]);
    extension_reduce(out, product);
}

static void extension_square(uint16_t out[LANES], const uint16_t x[LANES])
{
    uint16_t product[2 * LANES] = {0};
    for (unsigned i = 0; i < T; i++) product[2 * i] = gf_multiply(x[i], x[i]);
    extension_reduce(out, product);
}

/* The minimal polynomial over F of an element, its coefficients from the constant
 * one to that of x^(t-1); not 0 unless its degree is t.  It is that of the
 * sequence of the constant coefficients of the element's powers: the sequence is
 * not 0, and the polynomial is irreducible. */
static int minimal_polynomial(uint16_t g[T], const uint16_t element[LANES])
{
    uint16_t power[2 * T][LANES] = {{1}}, s[2 * T], c[LANES];
    memcpy(power[1], element, sizeof power[1]);
    for (unsigned i = 2; i < 2 * T; i++)
        if (i % 2) extension_multiply(power[i], power[i - 1], element);
        else extension_square(power[i], power[i / 2]);
    for (unsigned i = 0; i < 2 * T; i++) s[i] = power[i][0];
    int other = shortest_recurrence(c, s) != T;
    crypto_declassify(&other, sizeof other); /* then this seed is not used */
    for (unsigned i = 0; i < T; i++) g[i] = c[T - 1 - i];
    return other;
}

#endif
