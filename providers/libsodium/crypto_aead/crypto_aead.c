/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libsodium's AEADs, detached, so that the tag can precede the ciphertext. They verify before they
 * decrypt. AES-256-GCM keeps its expanded key (..._beforenm). */
#include "crypto_aead.h"

#include <sodium/core.h>
#include <string.h>

#define TAG crypto_aead_TAGBYTES
#define GLUE(a, b, c) a##b##c
#define NAME(a, b, c) GLUE(a, b, c)

#if PROVIDER_STATE
#define ENCRYPT NAME(crypto_aead_, PROVIDER, _encrypt_detached_afternm)
#define DECRYPT NAME(crypto_aead_, PROVIDER, _decrypt_detached_afternm)
#define KEY(expanded) (expanded)
#else
#define ENCRYPT NAME(crypto_aead_, PROVIDER, _encrypt_detached)
#define DECRYPT NAME(crypto_aead_, PROVIDER, _decrypt_detached)
#define KEY(expanded) (expanded)->key
#endif

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    if (sodium_init() < 0) return -1;
#if PROVIDER_STATE
    return NAME(crypto_aead_, PROVIDER, _beforenm)(expanded, key);
#else
    memcpy(expanded->key, key, sizeof expanded->key);
    return 0;
#endif
}

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext, uint64_t length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    return ENCRYPT(packet + TAG, packet, NULL, plaintext, length, ad, ad_length, NULL, nonce, KEY(expanded));
}

int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet, uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    if (packet_length < TAG) return -1;
    return DECRYPT(plaintext, NULL, packet + TAG, packet_length - TAG, packet, ad, ad_length, nonce, KEY(expanded));
}
