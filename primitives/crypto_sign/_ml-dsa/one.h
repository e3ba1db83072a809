/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ML_DSA_ONE_H
#define ML_DSA_ONE_H

/* What scheme.h wants sampled, one polynomial after the other. */

#include "sample.h"

static void start(keccak_sponge *sponge, uint64_t rate, const uint8_t *seed, unsigned bytes)
{
    keccak_start(sponge);
    keccak_absorb(sponge, rate, seed, bytes);
    keccak_pad(sponge, rate, SHAKE_SUFFIX);
}

static void sample_matrix(poly a[DSA_K][DSA_L], const uint8_t rho[32])
{
    keccak_sponge sponge;
    uint8_t seed[34], block[SHAKE128_RATE];

    for (unsigned i = 0; i < DSA_K; i++)
        for (unsigned j = 0; j < DSA_L; j++) {
            matrix_seed(seed, rho, i, j);
            start(&sponge, SHAKE128_RATE, seed, sizeof seed);
            for (unsigned have = 0; have < 256; have = sample_matrix_block(a[i][j].c, have, block))
                keccak_squeeze(&sponge, SHAKE128_RATE, block, sizeof block);
        }
}

static void sample_short(poly s[DSA_L + DSA_K], const uint8_t seed[64])
{
    keccak_sponge sponge;
    uint8_t numbered[66], block[SHAKE256_RATE];

    for (unsigned i = 0; i < DSA_L + DSA_K; i++) {
        seed_and_number(numbered, seed, i);
        start(&sponge, SHAKE256_RATE, numbered, sizeof numbered);
        for (unsigned have = 0; have < 256; have = sample_short_block(s[i].c, have, block))
            keccak_squeeze(&sponge, SHAKE256_RATE, block, sizeof block);
    }
}

static void sample_mask(poly y[DSA_L], const uint8_t seed[64], unsigned kappa)
{
    uint8_t numbered[66], bytes[MASK_BYTES];

    for (unsigned i = 0; i < DSA_L; i++) {
        seed_and_number(numbered, seed, kappa + i);
        keccak_hash(bytes, MASK_BYTES, SHAKE256_RATE, SHAKE_SUFFIX, numbered, sizeof numbered, numbered, 0);
        poly_unpack(&y[i], bytes, DSA_GAMMA1, BITS_Z);
    }
}

#endif
