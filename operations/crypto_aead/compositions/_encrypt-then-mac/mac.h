/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* MAC(ad || nonce || ciphertext || bits of ad), RFC 7518 section 5.2.2.1, truncated to the tag. A
 * MAC key that is shorter than the authenticator's is extended with zero bytes, which for HMAC is
 * the same key (RFC 2104). */
#include "crypto_aead.h"

#include <stdlib.h>

#include "bytes.h"

#define TAG crypto_aead_TAGBYTES
#define MAC_KEYBYTES (crypto_aead_KEYBYTES - CIPHER_KEYBYTES)

_Static_assert(MAC_KEYBYTES > 0 && MAC_KEYBYTES <= crypto_auth_KEYBYTES,
               "key_bytes must be the sum of a MAC key and a cipher key");
_Static_assert(TAG <= crypto_auth_BYTES, "tag_bytes exceeds the authenticator");

static int mac_expandkey(mac_key *mac, const uint8_t *key)
{
    uint8_t extended[crypto_auth_KEYBYTES] = {0};
    memcpy(extended, key, MAC_KEYBYTES);
#ifdef crypto_auth_INCREMENTAL
    crypto_auth_start(&mac->started, extended);
#else
    memcpy(mac->key, extended, sizeof mac->key);
#endif
    return 0;
}

#ifdef crypto_auth_INCREMENTAL

static int mac_of(uint8_t *tag, const uint8_t *ciphertext, uint64_t length, const uint8_t *ad, uint64_t ad_length,
                  const uint8_t *nonce, const mac_key *mac)
{
    crypto_auth_state state;
    uint8_t bits[8], whole[crypto_auth_BYTES];
    memcpy(&state, &mac->started, sizeof state);
    store_be64(bits, ad_length * 8);
    crypto_auth_update(&state, ad, ad_length);
    crypto_auth_update(&state, nonce, crypto_aead_NONCEBYTES);
    crypto_auth_update(&state, ciphertext, length);
    crypto_auth_update(&state, bits, sizeof bits);
    crypto_auth_end(&state, whole);
    memcpy(tag, whole, TAG);
    return 0;
}

#else

/* An authenticator without the incremental interface gets a copy of the message on the heap. */
static int mac_of(uint8_t *tag, const uint8_t *ciphertext, uint64_t length, const uint8_t *ad, uint64_t ad_length,
                  const uint8_t *nonce, const mac_key *mac)
{
    uint8_t whole[crypto_auth_BYTES];
    const uint64_t total = ad_length + crypto_aead_NONCEBYTES + length + 8;
    uint8_t *copy = malloc((size_t)total), *at = copy;
    if (!copy) return -1;
    if (ad_length) memcpy(at, ad, (size_t)ad_length);
    memcpy(at += ad_length, nonce, crypto_aead_NONCEBYTES);
    if (length) memcpy(at += crypto_aead_NONCEBYTES, ciphertext, (size_t)length);
    store_be64(copy + total - 8, ad_length * 8);
    const int failed = crypto_auth(whole, copy, total, mac->key);
    free(copy);
    memcpy(tag, whole, TAG);
    return failed;
}

#endif
