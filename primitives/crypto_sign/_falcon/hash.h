/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef FALCON_HASH_H
#define FALCON_HASH_H

#include "../../_shared/keccak.h"
#include "parameters.h"

#define SHAKE256_RATE 136

/* Algorithm 3, HashToPoint: 16 bits, big-endian, are a coefficient if below 5q.
 * Nonce and message are public, so is how many are not. */
static void hash_to_point(uint16_t c[N], const uint8_t nonce[NONCE], const uint8_t *m, uint64_t mlen)
{
    keccak_sponge s;
    uint8_t block[SHAKE256_RATE];
    keccak_start(&s);
    keccak_absorb(&s, SHAKE256_RATE, nonce, NONCE);
    keccak_absorb(&s, SHAKE256_RATE, m, mlen);
    keccak_pad(&s, SHAKE256_RATE, 0x1f);
    for (unsigned i = 0; i < N;) {
        keccak_squeeze(&s, SHAKE256_RATE, block, sizeof block);
        for (unsigned j = 0; j < sizeof block && i < N; j += 2) {
            const uint32_t t = (uint32_t)block[j] << 8 | block[j + 1];
            if (t < 5 * Q) c[i++] = (uint16_t)(t % Q);
        }
    }
}

/* The generator: SHAKE256 of a seed. */
struct generator {
    keccak_sponge sponge;
};

static void generator_start(struct generator *g, const uint8_t seed[SEED])
{
    keccak_start(&g->sponge);
    keccak_absorb(&g->sponge, SHAKE256_RATE, seed, SEED);
    keccak_pad(&g->sponge, SHAKE256_RATE, 0x1f);
}

static inline void generate(struct generator *g, uint8_t *out, unsigned length)
{
    keccak_squeeze(&g->sponge, SHAKE256_RATE, out, length);
}

#endif
