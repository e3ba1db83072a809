/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Encrypts with the keystream from its first byte on, then authenticates with any crypto_auth as
 * in RFC 7518, section 5.2. */
#include "../_encrypt-then-mac/mac.h"
#include "verdict.h"

#define FIRST crypto_stream_FIRSTBYTES

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    mac_expandkey(&expanded->mac, key);
    crypto_stream_expandkey(&expanded->cipher, key + MAC_KEYBYTES);
    return 0;
}

static void apply(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *nonce, const crypto_aead_key *key)
{
    const uint64_t now = length < FIRST ? length : FIRST;
    uint8_t first[FIRST];
    crypto_stream_state state;
    crypto_stream_start(&state, first, nonce, &key->cipher, length - now);
    xor_bytes(out, in, first, now);
    if (length > now) crypto_stream_xor(&state, out + now, in + now, length - now);
}

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext, uint64_t length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    apply(packet + TAG, plaintext, length, nonce, expanded);
    return mac_of(packet, packet + TAG, length, ad, ad_length, nonce, &expanded->mac);
}

int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet, uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    uint8_t tag[TAG];
    if (packet_length < TAG) return -1;
    if (mac_of(tag, packet + TAG, packet_length - TAG, ad, ad_length, nonce, &expanded->mac)) return -1;
    if (tags_differ(tag, packet, TAG)) return -1;
    apply(plaintext, packet + TAG, packet_length - TAG, nonce, expanded);
    return 0;
}
