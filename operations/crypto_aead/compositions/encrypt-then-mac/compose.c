/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES_CBC_HMAC_SHA2 of RFC 7518, section 5.2, with any crypto_cipher for AES-CBC and any
 * crypto_auth for HMAC. For a cipher that takes only whole blocks the plaintext is padded as in
 * RFC 5652, section 6.3. */
#include "../_encrypt-then-mac/mac.h"
#include "verdict.h"

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    if (mac_expandkey(&expanded->mac, key)) return -1;
    return crypto_cipher_expandkey(&expanded->cipher, key + MAC_KEYBYTES);
}

#ifdef crypto_aead_RELEASES
void crypto_aead_release(crypto_aead_key *expanded)
{
    crypto_cipher_release(&expanded->cipher);
}
#endif

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext, uint64_t length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    const uint64_t padded = crypto_aead_PADDEDBYTES(length);
    uint8_t *text = packet + TAG;
    if (text != plaintext && length) memmove(text, plaintext, (size_t)length);
    memset(text + length, (int)(padded - length), (size_t)(padded - length));
    if (crypto_cipher_encrypt(text, text, padded, nonce, &expanded->cipher)) return -1;
    return mac_of(packet, text, padded, ad, ad_length, nonce, &expanded->mac);
}

int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet, uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    uint8_t tag[TAG];
    if (packet_length < TAG + crypto_aead_PADDEDBYTES(0)) return -1;
    const uint64_t length = packet_length - TAG;
    if (length % crypto_cipher_BLOCKBYTES) return -1;
    if (mac_of(tag, packet + TAG, length, ad, ad_length, nonce, &expanded->mac)) return -1;
    if (tags_differ(tag, packet, TAG)) return -1;
    return crypto_cipher_decrypt(plaintext, packet + TAG, length, nonce, &expanded->cipher);
}
