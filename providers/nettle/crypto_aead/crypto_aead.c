/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* nettle's AEADs. Uses its generic functions for modes over any block cipher, because they
 * separate the state of the key from that of the message.
 *
 * Plaintext is written before the tag is compared; the plaintext of a forgery is then zeroed. */
#include "crypto_aead.h"

#include <nettle/ccm.h>
#include <nettle/memops.h>
#include <string.h>

#define TAG crypto_aead_TAGBYTES
#define NONCE crypto_aead_NONCEBYTES

#ifdef PROVIDER_CIPHER
#define ENCIPHER ((nettle_cipher_func *)PROVIDER_NAME(, PROVIDER_CIPHER, _encrypt))
#endif

#if defined(PROVIDER_GCM)
#define MESSAGE struct gcm_ctx
#define START(m, k, nonce, al, l) gcm_set_iv(m, &(k)->mode, NONCE, nonce)
#define UPDATE(m, k, al, ad) gcm_update(m, &(k)->mode, al, ad)
#define SEAL(m, k, l, out, in) gcm_encrypt(m, &(k)->mode, &(k)->cipher, ENCIPHER, l, out, in)
#define OPEN(m, k, l, out, in) gcm_decrypt(m, &(k)->mode, &(k)->cipher, ENCIPHER, l, out, in)
#define DIGEST(m, k, tag) gcm_digest(m, &(k)->mode, &(k)->cipher, ENCIPHER, TAG, tag)
#define SETKEY(k) gcm_set_key(&(k)->mode, &(k)->cipher, ENCIPHER)
#elif defined(PROVIDER_EAX)
#define MESSAGE struct eax_ctx
#define START(m, k, nonce, al, l) eax_set_nonce(m, &(k)->mode, &(k)->cipher, ENCIPHER, NONCE, nonce)
#define UPDATE(m, k, al, ad) eax_update(m, &(k)->mode, &(k)->cipher, ENCIPHER, al, ad)
#define SEAL(m, k, l, out, in) eax_encrypt(m, &(k)->mode, &(k)->cipher, ENCIPHER, l, out, in)
#define OPEN(m, k, l, out, in) eax_decrypt(m, &(k)->mode, &(k)->cipher, ENCIPHER, l, out, in)
#define DIGEST(m, k, tag) eax_digest(m, &(k)->mode, &(k)->cipher, ENCIPHER, TAG, tag)
#define SETKEY(k) eax_set_key(&(k)->mode, &(k)->cipher, ENCIPHER)
#elif defined(PROVIDER_CCM)
#define MESSAGE struct ccm_ctx
#define START(m, k, nonce, al, l) ccm_set_nonce(m, &(k)->cipher, ENCIPHER, NONCE, nonce, al, l, TAG)
#define UPDATE(m, k, al, ad) ccm_update(m, &(k)->cipher, ENCIPHER, al, ad)
#define SEAL(m, k, l, out, in) ccm_encrypt(m, &(k)->cipher, ENCIPHER, l, out, in)
#define OPEN(m, k, l, out, in) ccm_decrypt(m, &(k)->cipher, ENCIPHER, l, out, in)
#define DIGEST(m, k, tag) ccm_digest(m, &(k)->cipher, ENCIPHER, TAG, tag)
#define SETKEY(k) (void)0
#else
#define MESSAGE struct chacha_poly1305_ctx
#define START(m, k, nonce, al, l) (*(m) = (k)->whole, chacha_poly1305_set_nonce(m, nonce))
#define UPDATE(m, k, al, ad) chacha_poly1305_update(m, al, ad)
#define SEAL(m, k, l, out, in) chacha_poly1305_encrypt(m, l, out, in)
#define OPEN(m, k, l, out, in) chacha_poly1305_decrypt(m, l, out, in)
#define DIGEST(m, k, tag) chacha_poly1305_digest(m, TAG, tag)
#endif

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
#ifdef PROVIDER_CIPHER
    PROVIDER_NAME(, PROVIDER_CIPHER, _set_encrypt_key)(&expanded->cipher, key);
    SETKEY(expanded);
#else
    chacha_poly1305_set_key(&expanded->whole, key);
#endif
    return 0;
}

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext, uint64_t length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    MESSAGE message;
    START(&message, expanded, nonce, ad_length, length);
    UPDATE(&message, expanded, ad_length, ad);
    SEAL(&message, expanded, length, packet + TAG, plaintext);
    DIGEST(&message, expanded, packet);
    return 0;
}

int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet, uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    MESSAGE message;
    uint8_t sent[TAG], right[TAG];
    if (packet_length < TAG) return -1;
    const uint64_t length = packet_length - TAG;
    memcpy(sent, packet, TAG);
    START(&message, expanded, nonce, ad_length, length);
    UPDATE(&message, expanded, ad_length, ad);
    OPEN(&message, expanded, length, plaintext, packet + TAG);
    DIGEST(&message, expanded, right);
    if (memeql_sec(sent, right, TAG)) return 0;
    memset(plaintext, 0, length);
    return -1;
}
