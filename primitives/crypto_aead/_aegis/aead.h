/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef AEGIS_AEAD_H
#define AEGIS_AEAD_H

/* AEGIS with a 128-bit tag (draft-irtf-cfrg-aegis-aead), on the state of
 * state_128l.h or state_256.h, which was included before. */

#include "crypto_aead.h"

#include "bytes.h"

enum { AEGIS_WORDS = AEGIS_RATE / 16 };

/* The draft, section 2.1 */
static const uint8_t aegis_constants[2][16] = {
    {0x00, 0x01, 0x01, 0x02, 0x03, 0x05, 0x08, 0x0d, 0x15, 0x22, 0x37, 0x59, 0x90, 0xe9, 0x79, 0x62},
    {0xdb, 0x3d, 0x18, 0x55, 0x6d, 0xc2, 0x2f, 0xf1, 0x20, 0x11, 0x31, 0x42, 0x73, 0xb5, 0x28, 0xdd},
};

AEGIS_INLINE void aegis_start(aegis_state *a, const uint8_t *ad, uint64_t ad_length,
                              const uint8_t *nonce, const crypto_aead_key *expanded)
{
    aegis_block key[AEGIS_KEY_BLOCKS], m[AEGIS_WORDS];
    for (int i = 0; i < AEGIS_KEY_BLOCKS; i++) key[i] = aegis_load(expanded->key + 16 * i);
    aegis_init(a, key, nonce, aegis_load(aegis_constants[0]), aegis_load(aegis_constants[1]));
    for (; ad_length >= AEGIS_RATE; ad_length -= AEGIS_RATE, ad += AEGIS_RATE) {
        AEGIS_LOAD(m, ad);
        AEGIS_ABSORB(a, m);
    }
    if (ad_length > 0) {
        uint8_t last[AEGIS_RATE] = {0};
        memcpy(last, ad, ad_length);
        AEGIS_LOAD(m, last);
        AEGIS_ABSORB(a, m);
    }
}

AEGIS_INLINE void aegis_finish(uint8_t *tag, aegis_state *a, uint64_t length, uint64_t ad_length)
{
    uint8_t lengths[16];
    store_le64(lengths, 8 * ad_length);
    store_le64(lengths + 8, 8 * length);
    aegis_store(tag, aegis_tag(a, aegis_load(lengths)));
}

/* The draft: at most 2^61 - 1 bytes each. */
static inline int aegis_lengths_allowed(uint64_t length, uint64_t ad_length)
{
    return length >> 61 == 0 && ad_length >> 61 == 0;
}

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    memcpy(expanded->key, key, sizeof expanded->key);
    return 0;
}

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext,
                        uint64_t length, const uint8_t *ad, uint64_t ad_length,
                        const uint8_t *nonce, const crypto_aead_key *expanded)
{
    aegis_state a;
    aegis_block m[AEGIS_WORDS], z[AEGIS_WORDS];
    uint8_t *out = packet + 16;
    const uint8_t *in = plaintext;
    uint64_t left = length;

    if (!aegis_lengths_allowed(length, ad_length)) return -1;
    aegis_start(&a, ad, ad_length, nonce, expanded);
    for (; left >= AEGIS_RATE; left -= AEGIS_RATE, in += AEGIS_RATE, out += AEGIS_RATE) {
        AEGIS_LOAD(m, in);
        aegis_keystream(z, &a);
        AEGIS_XOR(z, m);
        AEGIS_STORE(out, z);
        AEGIS_ABSORB(&a, m);
    }
    if (left > 0) {
        uint8_t last[AEGIS_RATE] = {0};
        memcpy(last, in, left);
        AEGIS_LOAD(m, last);
        aegis_keystream(z, &a);
        AEGIS_XOR(z, m);
        AEGIS_STORE(last, z);
        memcpy(out, last, left);
        AEGIS_ABSORB(&a, m);
    }
    aegis_finish(packet, &a, length, ad_length);
    return 0;
}

static int unseal(uint8_t *tag, uint8_t *out, uint64_t advance, const uint8_t *in,
                  uint64_t length, const uint8_t *ad, uint64_t ad_length,
                  const uint8_t *nonce, const crypto_aead_key *expanded)
{
    aegis_state a;
    aegis_block m[AEGIS_WORDS], z[AEGIS_WORDS];
    uint64_t left = length;

    if (!aegis_lengths_allowed(length, ad_length)) return -1;
    aegis_start(&a, ad, ad_length, nonce, expanded);
    for (; left >= AEGIS_RATE; left -= AEGIS_RATE, in += AEGIS_RATE, out += AEGIS_RATE & advance) {
        AEGIS_LOAD(m, in);
        aegis_keystream(z, &a);
        AEGIS_XOR(m, z);
        AEGIS_STORE(out, m);
        AEGIS_ABSORB(&a, m);
    }
    if (left > 0) {
        uint8_t last[AEGIS_RATE] = {0};
        memcpy(last, in, left);
        AEGIS_LOAD(m, last);
        aegis_keystream(z, &a);
        AEGIS_XOR(m, z);
        AEGIS_STORE(last, m);
        memcpy(out, last, left);
        memset(last + left, 0, AEGIS_RATE - left);
        AEGIS_LOAD(m, last);
        AEGIS_ABSORB(&a, m);
    }
    aegis_finish(tag, &a, length, ad_length);
    return 0;
}

#include "../_open/open.h"

#endif
