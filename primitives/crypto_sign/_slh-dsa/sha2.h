/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SLH_SHA2_H
#define SLH_SHA2_H

/* The hash functions of FIPS 205, section 11.2.1: SHA-256, where n = 16.  Every
 * hash of an address begins with a block of the public seed and zeros: its state
 * is computed once. */

#include "parameters.h"

#include "../../_shared/sha2_small.h"

struct slh_context {
    struct hash seeded;
};

static void slh_start(struct slh_context *c, const slh_value public_seed)
{
    static const uint8_t zeros[64 - SLH_N] = {0};
    sha256_init(&c->seeded);
    hash_update(&c->seeded, public_seed, SLH_N);
    hash_update(&c->seeded, zeros, sizeof zeros);
}

/* F, H, T and, of the secret seed, PRF: `in` may be `out`. */
static void slh_hash(const struct slh_context *c, slh_value out, const struct slh_address *a, const void *in,
                     unsigned bytes)
{
    struct hash h = c->seeded;
    uint8_t address[22], digest[32];
    address[0] = (uint8_t)a->layer; /* compressed: section 11.2 */
    store_be64(address + 1, a->tree);
    address[9] = (uint8_t)a->type;
    slh_address_end(address + 10, a);
    hash_update(&h, address, sizeof address);
    hash_update(&h, in, bytes);
    hash_final(&h, digest);
    memcpy(out, digest, SLH_N);
}

/* HMAC-SHA-256: h takes the key's block, inner (0x36) or outer (0x5c). */
static void slh_hmac_start(struct hash *h, const slh_value key, uint8_t pad)
{
    uint8_t block[64];
    memset(block, pad, sizeof block);
    for (unsigned i = 0; i < SLH_N; i++) block[i] ^= key[i];
    sha256_init(h);
    hash_update(h, block, sizeof block);
}

/* PRF_msg; the message begins with the domain separator of section 10.2: pure, no context. */
static void slh_randomizer(slh_value out, const slh_value key, const slh_value random, const uint8_t *m, uint64_t mlen)
{
    static const uint8_t pure[2] = {0, 0};
    struct hash h;
    uint8_t digest[32];
    slh_hmac_start(&h, key, 0x36);
    hash_update(&h, random, SLH_N);
    hash_update(&h, pure, sizeof pure);
    hash_update(&h, m, mlen);
    hash_final(&h, digest);
    slh_hmac_start(&h, key, 0x5c);
    hash_update(&h, digest, sizeof digest);
    hash_final(&h, digest);
    memcpy(out, digest, SLH_N);
}

/* H_msg: MGF1 over R, the public seed and a hash of all. */
static void slh_digest(uint8_t out[SLH_DIGEST_BYTES], const slh_value randomizer, const struct slh_public *key,
                       const uint8_t *m, uint64_t mlen)
{
    static const uint8_t pure[2] = {0, 0};
    struct hash h;
    uint8_t seed[2 * SLH_N + 32 + 4], digest[32];
    memcpy(seed, randomizer, SLH_N);
    memcpy(seed + SLH_N, key->seed, SLH_N);
    sha256_init(&h);
    hash_update(&h, seed, 2 * SLH_N);
    hash_update(&h, key->root, SLH_N);
    hash_update(&h, pure, sizeof pure);
    hash_update(&h, m, mlen);
    hash_final(&h, seed + 2 * SLH_N);
    for (unsigned at = 0; at < SLH_DIGEST_BYTES; at += 32) {
        const unsigned rest = SLH_DIGEST_BYTES - at;
        store_be32(seed + 2 * SLH_N + 32, at / 32);
        sha256(digest, seed, sizeof seed);
        memcpy(out + at, digest, rest < 32 ? rest : 32);
    }
}

#endif
