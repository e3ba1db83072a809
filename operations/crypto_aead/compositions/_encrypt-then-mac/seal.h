/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Encrypts, then authenticates; verifies before it decrypts. The key is the MAC's, then the
 * cipher's, and each is used for nothing else. Two headers are included before:
 *
 *   stream.h or counter.h   cipher_key, cipher_expandkey, apply
 *   mac.h or nonce_mac.h    mac_key, mac_expandkey, mac_of */
#include "verdict.h"

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    if (mac_expandkey(&expanded->mac, key)) return -1;
    return cipher_expandkey(&expanded->cipher, key + MAC_KEYBYTES);
}

#ifdef crypto_aead_RELEASES
void crypto_aead_release(crypto_aead_key *expanded)
{
#ifdef crypto_nonceauth_RELEASES
    crypto_nonceauth_release(&expanded->mac);
#endif
#ifdef crypto_cipher_RELEASES
    crypto_cipher_release(&expanded->cipher);
#endif
}
#endif

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext, uint64_t length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    if (apply(packet + TAG, plaintext, length, nonce, &expanded->cipher)) return -1;
    return mac_of(packet, packet + TAG, length, ad, ad_length, nonce, &expanded->mac);
}

int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet, uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    uint8_t tag[TAG];
    if (packet_length < TAG) return -1;
    if (mac_of(tag, packet + TAG, packet_length - TAG, ad, ad_length, nonce, &expanded->mac)) return -1;
    if (tags_differ(tag, packet, TAG)) return -1;
    return apply(plaintext, packet + TAG, packet_length - TAG, nonce, &expanded->cipher);
}
