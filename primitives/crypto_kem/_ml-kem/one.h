/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ML_KEM_ONE_H
#define ML_KEM_ONE_H

/* What scheme.h wants sampled, one polynomial after the other. */

#include "sample.h"

static void sample_ntt(poly *p, const uint8_t seed[34])
{
    keccak_sponge sponge;
    uint8_t block[SHAKE128_RATE];

    keccak_start(&sponge);
    keccak_absorb(&sponge, SHAKE128_RATE, seed, 34);
    keccak_pad(&sponge, SHAKE128_RATE, SHAKE_SUFFIX);
    for (unsigned have = 0; have < 256; have = sample_block(p->c, have, block))
        keccak_squeeze(&sponge, SHAKE128_RATE, block, sizeof block);
}

static void sample_matrix(poly a[ML_KEM_K][ML_KEM_K], const uint8_t rho[32], int transposed)
{
    uint8_t seed[34];

    for (unsigned i = 0; i < ML_KEM_K; i++)
        for (unsigned j = 0; j < ML_KEM_K; j++) {
            matrix_seed(seed, rho, transposed ? j : i, transposed ? i : j);
            sample_ntt(&a[i][j], seed);
        }
}

static void sample_noise(poly *const p[], const uint8_t eta[], unsigned count, const uint8_t seed[32])
{
    for (unsigned n = 0; n < count; n++) {
        const uint8_t nonce = (uint8_t)n;
        uint8_t bytes[64 * 3];
        keccak_hash(bytes, 64u * eta[n], SHAKE256_RATE, SHAKE_SUFFIX, seed, 32, &nonce, 1);
        sample_cbd(p[n], bytes, eta[n]);
    }
}

#endif
