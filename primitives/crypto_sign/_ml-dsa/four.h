/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ML_DSA_FOUR_H
#define ML_DSA_FOUR_H

/* What scheme.h wants sampled, four polynomials at a time. */

#include "keccak4.h"
#include "sample.h"

#define ALL_FOUR(x) {(x)[0], (x)[1], (x)[2], (x)[3]}

static void sample_matrix(poly a[DSA_K][DSA_L], const uint8_t rho[32])
{
    poly unused;
    uint8_t seeds[4][34], block[4][SHAKE128_RATE];
    const uint8_t *const seed[4] = ALL_FOUR(seeds);
    uint8_t *const out[4] = ALL_FOUR(block);

    for (unsigned i = 0, j = 0; i < DSA_K;) {
        unsigned have[4] = {0, 0, 0, 0};
        keccak4 sponges;
        poly *p[4];
        for (unsigned n = 0; n < 4; n++) {
            p[n] = i < DSA_K ? &a[i][j] : &unused;
            matrix_seed(seeds[n], rho, i, j);
            if (++j == DSA_L) j = 0, i++;
        }
        keccak4_start(&sponges, SHAKE128_RATE, SHAKE_SUFFIX, seed, 34);
        while ((have[0] & have[1] & have[2] & have[3]) < 256) { /* 256 is a bit of its own */
            keccak4_block(&sponges, SHAKE128_RATE, out);
            for (unsigned n = 0; n < 4; n++) have[n] = sample_matrix_block(p[n]->c, have[n], block[n]);
        }
        for (unsigned n = 0; n < 4; n++) from_standard_order(p[n]);
    }
}

/* Sponges of seed and the four numbers from `number` on. */
static void start_four(keccak4 *sponges, const uint8_t seed[64], unsigned number)
{
    uint8_t numbered[4][66];
    const uint8_t *const in[4] = ALL_FOUR(numbered);

    for (unsigned n = 0; n < 4; n++) seed_and_number(numbered[n], seed, number + n);
    keccak4_start(sponges, SHAKE256_RATE, SHAKE_SUFFIX, in, 66);
}

static void sample_short(poly s[DSA_L + DSA_K], const uint8_t seed[64])
{
    uint8_t block[4][SHAKE256_RATE];
    uint8_t *const out[4] = ALL_FOUR(block);
    poly unused;

    for (unsigned at = 0; at < DSA_L + DSA_K; at += 4) {
        unsigned have[4] = {0, 0, 0, 0};
        keccak4 sponges;
        start_four(&sponges, seed, at);
        while ((have[0] & have[1] & have[2] & have[3]) < 256) {
            keccak4_block(&sponges, SHAKE256_RATE, out);
            for (unsigned n = 0; n < 4; n++) {
                poly *p = at + n < DSA_L + DSA_K ? &s[at + n] : &unused;
                have[n] = sample_short_block(p->c, have[n], block[n]);
            }
        }
    }
}

static void sample_mask(poly y[DSA_L], const uint8_t seed[64], unsigned kappa)
{
    uint8_t bytes[4][MASK_BYTES + SHAKE256_RATE];

    for (unsigned at = 0; at < DSA_L; at += 4) {
        keccak4 sponges;
        start_four(&sponges, seed, kappa + at);
        for (unsigned done = 0; done < MASK_BYTES; done += SHAKE256_RATE) {
            uint8_t *const out[4] = {bytes[0] + done, bytes[1] + done, bytes[2] + done, bytes[3] + done};
            keccak4_block(&sponges, SHAKE256_RATE, out);
        }
        for (unsigned n = 0; n < 4 && at + n < DSA_L; n++) poly_unpack(&y[at + n], bytes[n], DSA_GAMMA1, BITS_Z);
    }
}

#endif
