/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef MCELIECE_WORDS_H
#define MCELIECE_WORDS_H

/* The 16-bit little-endian words of which keys consist, and where they stand. */

#include "bytes.h"
#include "randombytes.h"

#define AT_POLYNOMIAL 2048u
#define AT_SYNDROMES (AT_POLYNOMIAL + 33)
#define AT_ROOTS (AT_SYNDROMES + 2048 * 32)
#define PUBLIC_ROW 48 /* bytes */

_Static_assert(crypto_encrypt_SECRETKEYBYTES == 2 * (AT_ROOTS + 32 * 32) &&
                   crypto_encrypt_PUBLICKEYBYTES == 1696 * PUBLIC_ROW,
               "primitive.toml and layout must agree");

static inline uint16_t word16(const unsigned char *bytes, unsigned i)
{
    return (uint16_t)(bytes[2 * i] | bytes[2 * i + 1] << 8);
}

static inline void put_word16(unsigned char *bytes, unsigned i, uint16_t x)
{
    bytes[2 * i] = (unsigned char)x;
    bytes[2 * i + 1] = (unsigned char)(x >> 8);
}

/* ---- GF(2^11): polynomials in z as 11-bit numbers, modulo z^11 + z^2 + 1 ---- */

static inline uint16_t gf_multiply(uint16_t x, uint16_t y)
{
    uint32_t p = 0;

    for (int i = 0; i < 11; i++) p ^= (uint32_t)x << i & -(uint32_t)(y >> i & 1);
    p = (p & 2047) ^ (p >> 11) ^ (p >> 11 << 2); /* degree 20 -> 11 */
    return (uint16_t)((p & 2047) ^ (p >> 11) ^ (p >> 11 << 2));
}

/* x^(2^n) */
static inline uint16_t gf_squares(uint16_t x, int n)
{
    for (; n > 0; n--) x = gf_multiply(x, x);
    return x;
}

static inline uint16_t gf_root(uint16_t x)
{
    return gf_squares(x, 10);
}

/* x^(2^11 - 2); 0 for 0.  Exponents 2^2 - 1, 2^4 - 1, 2^5 - 1, 2^10 - 1. */
static inline uint16_t gf_invert(uint16_t x)
{
    uint16_t e2 = gf_multiply(gf_squares(x, 1), x);
    uint16_t e4 = gf_multiply(gf_squares(e2, 2), e2);
    uint16_t e5 = gf_multiply(gf_squares(e4, 1), x);
    uint16_t e10 = gf_multiply(gf_squares(e5, 5), e5);

    return gf_squares(e10, 1);
}

#endif
