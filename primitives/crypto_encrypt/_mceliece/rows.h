/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef MCELIECE_ROWS_H
#define MCELIECE_ROWS_H

/* Polynomials over GF(2^11) of 32 coefficients, each in 16 bits of a vector, times
 * field elements; on them Euclid's algorithm and linear equations. */

#include "words.h"

typedef uint16_t row __attribute__((vector_size(64)));

/* Without vectors, each of these is a thousand instructions: inlined, they take a
 * compiler ten seconds. */
#if defined(__SSE2__) || defined(__ARM_NEON)
#define ROW_FUNCTION static inline
#else
#define ROW_FUNCTION static __attribute__((noinline))
#endif

static inline void row_get(row *x, const uint16_t *from)
{
    memcpy(x, from, sizeof *x);
}

static inline void row_put(uint16_t *to, const row *x)
{
    memcpy(to, x, sizeof *x);
}

/* From a key; the words of a key are little-endian. */
static inline void row_from_key(row *x, const unsigned char *from)
{
    memcpy(x, from, sizeof *x);
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    *x = *x << 8 | *x >> 8;
#endif
}

/* x, of degree 15 or less in z, modulo z^11 + z^2 + 1 */
static inline void row_reduce(row *x)
{
    row high = *x >> 11;

    *x = (*x & 2047) ^ high ^ high << 2;
}

/* y times bits `from` to from + 4 of c, plus x: of degree 14 in z */
static inline void row_add_shifted(row *x, const row *y, uint16_t c, int from)
{
#pragma GCC unroll 5
    for (int i = 0; i < 5; i++)
        *x ^= *y << i & (uint16_t) - (uint16_t)(c >> (from + i) & 1);
}

/* out = c y + d z.  The ten upper bits of c and d first, five at a time. */
ROW_FUNCTION void row_combine(row *out, const row *y, uint16_t c, const row *z,
                              uint16_t d)
{
    row x = (*y & (uint16_t) - (uint16_t)(c >> 10)) ^
            (*z & (uint16_t) - (uint16_t)(d >> 10));

    x <<= 5;
    row_add_shifted(&x, y, c, 5);
    row_add_shifted(&x, z, d, 5);
    row_reduce(&x);
    x <<= 5;
    row_add_shifted(&x, y, c, 0);
    row_add_shifted(&x, z, d, 0);
    row_reduce(&x);
    *out = x;
}

/* x += c y */
ROW_FUNCTION void row_add(row *x, const row *y, uint16_t c)
{
    row t = *y & (uint16_t) - (uint16_t)(c >> 10);

    t <<= 5;
    row_add_shifted(&t, y, c, 5);
    row_reduce(&t);
    t <<= 5;
    row_add_shifted(&t, y, c, 0);
    row_reduce(&t);
    *x ^= t;
}

/* ---- Euclid's algorithm --------------------------------------------------- */

/* A multiple of a remainder of g and p, its leading coefficient first; what p is
 * multiplied by in it (modulo g), behind 32 zeros. */
struct remainder {
    int degree;
    uint16_t value[33 + 64], factor[32 + 33 + 64];
};

/* a = lead(b) a - lead(a) X^shift b; the leading coefficient goes, and all zeros
 * behind it. */
static void euclid_step(struct remainder *a, const struct remainder *b)
{
    uint16_t c = b->value[0], d = a->value[0];
    const int shift = a->degree - b->degree;
    row x, y;

    for (int i = 0; i <= a->degree; i += 32) {
        row_get(&x, a->value + 1 + i);
        row_get(&y, b->value + 1 + i);
        row_combine(&x, &x, c, &y, d);
        row_put(a->value + i, &x);
    }
    row_get(&x, a->factor + 32);
    row_get(&y, b->factor + 32 - shift);
    row_combine(&x, &x, c, &y, d);
    row_put(a->factor + 32, &x);
    a->degree--;
    while (a->degree >= 0 && a->value[0] == 0) {
        memmove(a->value, a->value + 1, 33 * sizeof a->value[0]);
        a->degree--;
    }
}

/* Until a remainder has degree `enough` or less: that one.  Factors of degree 31 at
 * most are exact. */
static struct remainder *euclid(struct remainder *a, struct remainder *b,
                                const uint16_t g[33], const row *p, int enough)
{
    uint16_t coefficients[32];

    memset(a, 0, sizeof *a);
    memset(b, 0, sizeof *b);
    a->degree = 32;
    for (int i = 0; i <= 32; i++) a->value[i] = g[32 - i];
    row_put(coefficients, p);
    b->degree = 31;
    while (b->degree >= 0 && coefficients[b->degree] == 0) b->degree--;
    for (int i = 0; i <= b->degree; i++) b->value[i] = coefficients[b->degree - i];
    b->factor[32] = 1;
    while (b->degree > enough) {
        while (a->degree >= b->degree) euclid_step(a, b);
        struct remainder *t = a;
        a = b;
        b = t;
    }
    return b;
}

/* ---- minimal polynomials -------------------------------------------------- */

/* a[i] = a[0] z^i modulo z^32 + z^7 + z^3 + z^2 + 1 */
static void times_powers_of_z(row a[32])
{
    uint16_t c[64];

    row_put(c + 32, a);
    for (int i = 1; i < 32; i++) { /* a[i] stands at c[32 - i] */
        uint16_t top = c[64 - i];
        c[32 - i] = top;
        c[34 - i] ^= top;
        c[35 - i] ^= top;
        c[39 - i] ^= top;
        row_get(&a[i], c + 32 - i);
    }
}

/* Row r: the coefficients of z^r in a, a^2, ..., a^32; that of 1 is 0 but for r = 0.
 * Eliminating the first 31 columns leaves in the last how a^32 is made of 1, a,
 * ..., a^31. */
static int goppa_minimal(uint16_t g[33], const uint16_t a[32])
{
    row m[32], shifted[32], power;
    uint16_t column[32], c[32][32];

    row_get(&shifted[0], a);
    power = shifted[0];
    times_powers_of_z(shifted);
    for (int k = 0; k < 32; k++) {
        row_put(column, &power);
        power ^= power;
        for (int r = 0; r < 32; r++) {
            c[r][k] = column[r];
            row_add(&power, &shifted[r], column[r]);
        }
    }
    for (int r = 0; r < 32; r++) row_get(&m[r], c[r]);
    for (int k = 0; k < 31; k++) {
        int r = k + 1;
        while (r < 32 && m[r][k] == 0) r++;
        if (r == 32) return -1;
        row pivot = m[r], zero = pivot ^ pivot;
        m[r] = m[k + 1];
        row_add(&zero, &pivot, gf_invert(pivot[k]));
        m[k + 1] = zero;
        for (int i = 0; i < 32; i++)
            if (i != k + 1) row_add(&m[i], &m[k + 1], m[i][k]);
    }
    for (int r = 0; r < 32; r++) g[r] = m[r][31];
    g[32] = 1;
    return 0;
}

#endif
