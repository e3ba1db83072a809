/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A block cipher in counter mode and an authenticator whose pad is the encryption of the first
 * counter: the composition of "Cycle counts for authenticated encryption" (poly1305-2007), with a
 * keystream that can be entered at any block. */
#include "crypto_aead.h"

#define TAG crypto_aead_TAGBYTES
#define PAD crypto_onetimeauth_PADBYTES

#include "../_encrypt-then-mac/counter.h"
#include "verdict.h"

_Static_assert(PAD == IV, "the pad is one block");

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    crypto_onetimeauth_expandkey(&expanded->r, key);
    return cipher_expandkey(&expanded->k, key + crypto_onetimeauth_KEYBYTES);
}

#ifdef crypto_aead_RELEASES
void crypto_aead_release(crypto_aead_key *expanded)
{
    crypto_cipher_release(&expanded->k);
}
#endif

static int tag_of(uint8_t *tag, const uint8_t *ciphertext, uint64_t length, const uint8_t *nonce,
                  const crypto_aead_key *expanded)
{
    uint8_t pad[PAD] = {0};
    if (apply_from(0, pad, pad, PAD, nonce, &expanded->k)) return -1;
    crypto_onetimeauth_authenticate(tag, ciphertext, length, pad, &expanded->r);
    return 0;
}

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext, uint64_t length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    (void)ad;
    if (ad_length || apply_from(1, packet + TAG, plaintext, length, nonce, &expanded->k)) return -1;
    return tag_of(packet, packet + TAG, length, nonce, expanded);
}

int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet, uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    uint8_t tag[TAG];
    (void)ad;
    if (packet_length < TAG || ad_length) return -1;
    if (tag_of(tag, packet + TAG, packet_length - TAG, nonce, expanded) || tags_differ(tag, packet, TAG)) return -1;
    return apply_from(1, plaintext, packet + TAG, packet_length - TAG, nonce, &expanded->k);
}
