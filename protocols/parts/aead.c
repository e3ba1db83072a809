/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A primitive of crypto_aead as a part of a rung. */
#include "crypto_aead.h"
#include "protocol.h"

static uint64_t padded(uint64_t n)
{
    return crypto_aead_PADDEDBYTES(n);
}

static int expandkey(void *state, const uint8_t *key)
{
    return crypto_aead_expandkey(state, key);
}

static int encrypt(uint8_t *packet, const uint8_t *in, uint64_t n, const uint8_t *ad, uint64_t ad_n,
                   const uint8_t *nonce, const void *state)
{
    return crypto_aead_encrypt(packet, in, n, ad, ad_n, nonce, state);
}

static int decrypt(uint8_t *out, const uint8_t *packet, uint64_t n, const uint8_t *ad, uint64_t ad_n,
                   const uint8_t *nonce, const void *state)
{
    return crypto_aead_decrypt(out, packet, n, ad, ad_n, nonce, state);
}

extern const struct aead part_aead;
__attribute__((visibility("default"))) const struct aead part_aead = {
    .key_bytes = crypto_aead_KEYBYTES,
    .nonce_bytes = crypto_aead_NONCEBYTES,
    .tag_bytes = crypto_aead_TAGBYTES,
    .state_bytes = sizeof(crypto_aead_key),
    .takes_ad = crypto_aead_ASSOCIATEDDATA,
    .pads = crypto_aead_PADS,
    .padded = padded,
    .expandkey = expandkey,
    .encrypt = encrypt,
    .decrypt = decrypt,
};
