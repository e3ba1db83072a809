/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ML_KEM_FOUR_H
#define ML_KEM_FOUR_H

/* What scheme.h wants sampled, four polynomials at a time. */

#include "keccak4.h"
#include "sample.h"

/* SampleNTT of four seeds. */
static void sample_ntt_four(poly *const p[4], const uint8_t *const seed[4])
{
    keccak4 sponges;
    uint8_t block[4][SHAKE128_RATE];
    uint8_t *const out[4] = {block[0], block[1], block[2], block[3]};
    unsigned have[4] = {0, 0, 0, 0};

    keccak4_start(&sponges, SHAKE128_RATE, SHAKE_SUFFIX, seed, 34);
    while ((have[0] & have[1] & have[2] & have[3]) < 256) { /* 256 is a bit of its own */
        keccak4_block(&sponges, SHAKE128_RATE, out);
        for (unsigned n = 0; n < 4; n++) have[n] = sample_block(p[n]->c, have[n], block[n]);
    }
}

static void sample_matrix(poly a[ML_KEM_K][ML_KEM_K], const uint8_t rho[32], int transposed)
{
    poly unused, *p[4];
    uint8_t seeds[4][34];
    const uint8_t *const seed[4] = {seeds[0], seeds[1], seeds[2], seeds[3]};

    for (unsigned i = 0, j = 0; i < ML_KEM_K;) {
        for (unsigned n = 0; n < 4; n++) {
            p[n] = i < ML_KEM_K ? &a[i][j] : &unused;
            matrix_seed(seeds[n], rho, transposed ? j : i, transposed ? i : j);
            if (++j == ML_KEM_K) j = 0, i++;
        }
        sample_ntt_four(p, seed);
        for (unsigned n = 0; n < 4; n++) from_standard_order(p[n]);
    }
}

static void sample_noise(poly *const p[], const uint8_t eta[], unsigned count, const uint8_t seed[32])
{
    uint8_t numbered[4][33], block[4][2 * SHAKE256_RATE];
    const uint8_t *const in[4] = {numbered[0], numbered[1], numbered[2], numbered[3]};
    uint8_t *const first[4] = {block[0], block[1], block[2], block[3]};
    uint8_t *const second[4] = {block[0] + SHAKE256_RATE, block[1] + SHAKE256_RATE, block[2] + SHAKE256_RATE,
                                block[3] + SHAKE256_RATE};

    for (unsigned at = 0; at < count; at += 4) {
        const unsigned some = count - at < 4 ? count - at : 4;
        keccak4 sponges;
        for (unsigned n = 0; n < 4; n++) {
            memcpy(numbered[n], seed, 32);
            numbered[n][32] = (uint8_t)(at + n);
        }
        keccak4_start(&sponges, SHAKE256_RATE, SHAKE_SUFFIX, in, 33);
        keccak4_block(&sponges, SHAKE256_RATE, first);
        if (ML_KEM_ETA1 == 3) keccak4_block(&sponges, SHAKE256_RATE, second); /* 192 bytes */
        for (unsigned n = 0; n < some; n++) sample_cbd(p[at + n], block[n], eta[at + n]);
    }
}

#endif
