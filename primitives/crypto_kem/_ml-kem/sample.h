/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ML_KEM_SAMPLE_H
#define ML_KEM_SAMPLE_H

/* Polynomials from bytes: FIPS 203, section 4.2.2; and the hash functions of section 4.1. */

#include <string.h>

#include "crypto_declassify.h"
#include "field.h"
#include "keccak.h"

/* G(x || y): SHA3-512. */
static void hash_g(uint8_t out[64], const uint8_t x[32], const uint8_t *y, uint64_t y_bytes)
{
    keccak_hash(out, 64, SHA3_512_RATE, SHA3_SUFFIX, x, 32, y, y_bytes);
}

/* H: SHA3-256. */
static void hash_h(uint8_t out[32], const uint8_t *in, uint64_t bytes)
{
    keccak_hash(out, 32, SHA3_256_RATE, SHA3_SUFFIX, in, bytes, in, 0);
}

/* J(x || y): SHAKE256. */
static void hash_j(uint8_t out[32], const uint8_t x[32], const uint8_t *y, uint64_t y_bytes)
{
    keccak_hash(out, 32, SHAKE256_RATE, SHAKE_SUFFIX, x, 32, y, y_bytes);
}

/* The inner loop of SampleNTT, algorithm 7: takes what is below q of a block's 112 numbers,
 * until there are 256; how many there are then.  A number that is not taken is written all the
 * same, and written over: one in five is, and branches on them would be mispredicted. */
static unsigned sample_block(int16_t *c, unsigned have, const uint8_t block[SHAKE128_RATE])
{
    for (unsigned at = 0; at < SHAKE128_RATE && have < 256; at += 3) {
        const int d1 = block[at] | (block[at + 1] & 15) << 8, d2 = block[at + 1] >> 4 | block[at + 2] << 4;
        c[have] = (int16_t)d1;
        have += d1 < Q;
        if (have == 256) break;
        c[have] = (int16_t)d2;
        have += d2 < Q;
    }
    return have;
}

/* What SampleNTT reads for row i and column j.  rho becomes public here: it stands in the
 * public key, also where it comes out of the hash of a secret seed, or of a secret key. */
static void matrix_seed(uint8_t seed[34], const uint8_t rho[32], unsigned i, unsigned j)
{
    memcpy(seed, rho, 32);
    crypto_declassify(seed, 32);
    seed[32] = (uint8_t)j;
    seed[33] = (uint8_t)i;
}

/* SamplePolyCBD_2, algorithm 8: sizes at most 2, from 128 bytes, two bits less two bits each. */
static inline void sample_cbd2(poly *p, const uint8_t bytes[128])
{
    for (unsigned i = 0; i < 32; i++) {
        const uint32_t bits = load_le32(bytes + 4 * i);
        const uint32_t sums = (bits & 0x55555555) + (bits >> 1 & 0x55555555);
        for (unsigned j = 0; j < 8; j++)
            p->c[8 * i + j] = (int16_t)((int)(sums >> 4 * j & 3) - (int)(sums >> (4 * j + 2) & 3));
    }
}

/* SamplePolyCBD_3: sizes at most 3, from 192 bytes, three bits less three bits each. */
static inline void sample_cbd3(poly *p, const uint8_t bytes[192])
{
    for (unsigned i = 0; i < 64; i++) {
        const uint32_t bits = bytes[3 * i] | (uint32_t)bytes[3 * i + 1] << 8 | (uint32_t)bytes[3 * i + 2] << 16;
        const uint32_t sums = (bits & 0x249249) + (bits >> 1 & 0x249249) + (bits >> 2 & 0x249249);
        for (unsigned j = 0; j < 4; j++)
            p->c[4 * i + j] = (int16_t)((int)(sums >> 6 * j & 7) - (int)(sums >> (6 * j + 3) & 7));
    }
}

static inline void sample_cbd(poly *p, const uint8_t *bytes, unsigned eta)
{
    if (eta == 2) sample_cbd2(p, bytes);
    else sample_cbd3(p, bytes);
}

#endif
