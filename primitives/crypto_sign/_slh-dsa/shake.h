/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SLH_SHAKE_H
#define SLH_SHAKE_H

/* The hash functions of FIPS 205, section 11.1: SHAKE256. */

#include "parameters.h"

#include "../../_shared/keccak.h"

#define SLH_RATE 136

struct slh_context {
    slh_value public_seed;
};

static void slh_start(struct slh_context *c, const slh_value public_seed)
{
    memcpy(c->public_seed, public_seed, SLH_N);
}

static void slh_squeeze(keccak_sponge *s, uint8_t *out, unsigned bytes)
{
    keccak_pad(s, SLH_RATE, 0x1f);
    keccak_squeeze(s, SLH_RATE, out, bytes);
}

/* F, H, T and, of the secret seed, PRF: `in` may be `out`. */
static void slh_hash(const struct slh_context *c, slh_value out, const struct slh_address *a, const void *in,
                     unsigned bytes)
{
    keccak_sponge s;
    uint8_t address[32] = {0};
    store_be32(address, a->layer);
    store_be64(address + 8, a->tree);
    store_be32(address + 16, a->type);
    slh_address_end(address + 20, a);
    keccak_start(&s);
    keccak_absorb(&s, SLH_RATE, c->public_seed, SLH_N);
    keccak_absorb(&s, SLH_RATE, address, sizeof address);
    keccak_absorb(&s, SLH_RATE, in, bytes);
    slh_squeeze(&s, out, SLH_N);
}

/* Domain separator of section 10.2, pure, no context; and the message. */
static void slh_absorb_message(keccak_sponge *s, const uint8_t *m, uint64_t mlen)
{
    static const uint8_t pure[2] = {0, 0};
    keccak_absorb(s, SLH_RATE, pure, sizeof pure);
    keccak_absorb(s, SLH_RATE, m, mlen);
}

/* PRF_msg */
static void slh_randomizer(slh_value out, const slh_value key, const slh_value random, const uint8_t *m, uint64_t mlen)
{
    keccak_sponge s;
    keccak_start(&s);
    keccak_absorb(&s, SLH_RATE, key, SLH_N);
    keccak_absorb(&s, SLH_RATE, random, SLH_N);
    slh_absorb_message(&s, m, mlen);
    slh_squeeze(&s, out, SLH_N);
}

/* H_msg */
static void slh_digest(uint8_t out[SLH_DIGEST_BYTES], const slh_value randomizer, const struct slh_public *key,
                       const uint8_t *m, uint64_t mlen)
{
    keccak_sponge s;
    keccak_start(&s);
    keccak_absorb(&s, SLH_RATE, randomizer, SLH_N);
    keccak_absorb(&s, SLH_RATE, key->seed, SLH_N);
    keccak_absorb(&s, SLH_RATE, key->root, SLH_N);
    slh_absorb_message(&s, m, mlen);
    slh_squeeze(&s, out, SLH_DIGEST_BYTES);
}

#endif
