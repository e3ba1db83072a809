/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ML_DSA_SAMPLE_H
#define ML_DSA_SAMPLE_H

/* Polynomials from bytes: FIPS 204, section 7.3.  Those whose bytes several may be drawn of at
 * once are cut: one.h and four.h draw the bytes, this makes coefficients of them. */

#include <string.h>

#include "crypto_declassify.h"
#include "encode.h"
#include "keccak.h"

#define MASK_BYTES (32 * BITS_Z)

/* The loop of RejNTTPoly, algorithm 30: takes what is below q of a block's 56 numbers, until
 * there are 256; how many there are then. */
static unsigned sample_matrix_block(int32_t *c, unsigned have, const uint8_t block[SHAKE128_RATE])
{
    for (unsigned at = 0; at < SHAKE128_RATE && have < 256; at += 3) {
        const int32_t x = block[at] | block[at + 1] << 8 | (block[at + 2] & 127) << 16;
        if (x < Q) c[have++] = x;
    }
    return have;
}

/* CoeffFromHalfByte, algorithm 15, and whether there is one. */
static inline unsigned from_half_byte(int32_t *c, int32_t half)
{
    unsigned fits = half < (DSA_ETA == 2 ? 15 : 9);

    *c = DSA_ETA == 2 ? 2 - (half - 5 * (205 * half >> 10)) : 4 - half; /* 205/1024: a fifth, for half < 16 */
    /* Which half bytes fit is independent of the values of those that do. */
    crypto_declassify(&fits, sizeof fits);
    return fits;
}

/* The loop of RejBoundedPoly, algorithm 31, as above: the lower half of a byte first.  What does
 * not fit is written all the same, and written over. */
static unsigned sample_short_block(int32_t *c, unsigned have, const uint8_t block[SHAKE256_RATE])
{
    for (unsigned at = 0; at < 2 * SHAKE256_RATE && have < 256; at++)
        have += from_half_byte(&c[have], block[at / 2] >> 4 * (at % 2) & 15);
    return have;
}

/* What RejNTTPoly reads for row i and column j.  rho is public, also where it comes out of the
 * hash of a secret seed, or of a secret key: it stands in the public key. */
static void matrix_seed(uint8_t seed[34], const uint8_t rho[32], unsigned i, unsigned j)
{
    memcpy(seed, rho, 32);
    crypto_declassify(seed, 32);
    seed[32] = (uint8_t)j;
    seed[33] = (uint8_t)i;
}

static void seed_and_number(uint8_t out[66], const uint8_t seed[64], unsigned number)
{
    memcpy(out, seed, 64);
    out[64] = (uint8_t)number;
    out[65] = (uint8_t)(number >> 8);
}

/* SampleInBall, algorithm 29, from a public seed. */
static void sample_in_ball(poly *c, const uint8_t seed[DSA_CHALLENGE])
{
    keccak_sponge sponge;
    uint8_t bytes[8], j;
    uint64_t signs;

    keccak_start(&sponge);
    keccak_absorb(&sponge, SHAKE256_RATE, seed, DSA_CHALLENGE);
    keccak_pad(&sponge, SHAKE256_RATE, SHAKE_SUFFIX);
    keccak_squeeze(&sponge, SHAKE256_RATE, bytes, sizeof bytes);
    signs = load_le64(bytes);
    memset(c, 0, sizeof *c);
    for (unsigned i = 256 - DSA_TAU; i < 256; i++, signs >>= 1) {
        do keccak_squeeze(&sponge, SHAKE256_RATE, &j, 1);
        while (j > i);
        c->c[i] = c->c[j];
        c->c[j] = 1 - 2 * (int32_t)(signs & 1);
    }
}

#endif
