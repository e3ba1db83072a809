/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* MAC(nonce; ad || ciphertext || bits of ad) by a crypto_nonceauth, under a key of its own. A nonce
 * that is shorter than the MAC's is extended with zero bytes. */
#include "crypto_aead.h"

#include <stdlib.h>

#include "bytes.h"

#define TAG crypto_aead_TAGBYTES
#define MAC_KEYBYTES crypto_nonceauth_KEYBYTES

_Static_assert(crypto_aead_NONCEBYTES <= crypto_nonceauth_NONCEBYTES, "nonce_bytes exceeds the MAC's nonce");
_Static_assert(TAG == crypto_nonceauth_BYTES, "tag_bytes must be the MAC's");

static int mac_expandkey(mac_key *mac, const uint8_t *key)
{
#ifdef crypto_nonceauth_KEYED
    return crypto_nonceauth_expandkey(mac, key);
#else
    memcpy(mac->key, key, MAC_KEYBYTES);
    return 0;
#endif
}

static int mac_of(uint8_t *tag, const uint8_t *ciphertext, uint64_t length, const uint8_t *ad, uint64_t ad_length,
                  const uint8_t *nonce, const mac_key *mac)
{
    uint8_t bits[8], extended[crypto_nonceauth_NONCEBYTES] = {0};
    memcpy(extended, nonce, crypto_aead_NONCEBYTES);
    store_be64(bits, ad_length * 8);
#ifdef crypto_nonceauth_KEYED
    crypto_nonceauth_state state;
    crypto_nonceauth_start(&state, extended, mac);
    if (ad_length) crypto_nonceauth_update(&state, ad, ad_length);
    crypto_nonceauth_update(&state, ciphertext, length);
    crypto_nonceauth_update(&state, bits, sizeof bits);
    crypto_nonceauth_end(&state, tag);
    return 0;
#else /* a copy of the message on the heap, and the key is expanded again */
    const uint64_t total = ad_length + length + sizeof bits;
    uint8_t *copy = malloc((size_t)total);
    if (!copy) return -1;
    if (ad_length) memcpy(copy, ad, (size_t)ad_length);
    if (length) memcpy(copy + ad_length, ciphertext, (size_t)length);
    memcpy(copy + total - sizeof bits, bits, sizeof bits);
    const int failed = crypto_nonceauth(tag, copy, total, extended, mac->key);
    free(copy);
    return failed;
#endif
}
