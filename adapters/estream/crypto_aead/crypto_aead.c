/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Packets of an authenticating cipher of eSTREAM's API, which decrypts before it can detect a
 * forgery; the plaintext is then cleared. */
#include "crypto_aead.h"

#include <string.h>

void estream_key(void *ctx, const unsigned char *key);
int estream_seal(void *ctx, const unsigned char *iv, const unsigned char *ad, unsigned adlen, const unsigned char *in,
                 unsigned char *out, unsigned length, unsigned char *mac);
int estream_open(void *ctx, const unsigned char *iv, const unsigned char *ad, unsigned adlen, const unsigned char *in,
                 unsigned char *out, unsigned length, unsigned char *mac);

#define TAG crypto_aead_TAGBYTES

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    memset(expanded, 0, sizeof *expanded);
    estream_key(expanded->context, key);
    return 0;
}

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext, uint64_t length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    crypto_aead_key copy;
    memcpy(&copy, expanded, sizeof copy);
    return estream_seal(copy.context, nonce, ad, (unsigned)ad_length, plaintext, packet + TAG, (unsigned)length,
                        packet);
}

int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet, uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    crypto_aead_key copy;
    uint8_t mac[TAG];
    unsigned difference = 0;
    if (packet_length < TAG) return -1;
    const unsigned length = (unsigned)(packet_length - TAG);
    memcpy(&copy, expanded, sizeof copy);
    if (estream_open(copy.context, nonce, ad, (unsigned)ad_length, packet + TAG, plaintext, length, mac)) return -1;
    for (unsigned i = 0; i < TAG; i++) difference |= (unsigned)(mac[i] ^ packet[i]);
    if (!difference) return 0;
    if (length) memset(plaintext, 0, length);
    return -1;
}
