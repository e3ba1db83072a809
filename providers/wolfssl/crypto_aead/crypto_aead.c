/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* wolfCrypt's AEADs: the functions for one packet at once. The plaintext of a forgery is zeroed. */
#include "crypto_aead.h"

#include <string.h>
#include <wolfssl/wolfcrypt/chacha20_poly1305.h>

#define TAG crypto_aead_TAGBYTES
#define KEY crypto_aead_KEYBYTES
#define NONCE crypto_aead_NONCEBYTES
#define GLUE(a, b) wc_Aes##a##b
#define NAME(a, b) GLUE(a, b)

#ifdef PROVIDER_MODE

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    if (wc_AesInit(&expanded->aes, NULL, INVALID_DEVID)) return -1;
    return NAME(PROVIDER_MODE, SetKey)(&expanded->aes, key, KEY) ? -1 : 0;
}

void crypto_aead_release(crypto_aead_key *expanded)
{
    wc_AesFree(&expanded->aes);
}

#define AES(expanded) (Aes *)&(expanded)->aes /* the library's type is not const */
#define SEAL(k, out, in, l, nonce, tag, ad, al) \
    NAME(PROVIDER_MODE, Encrypt)(AES(k), out, in, l, nonce, NONCE, tag, TAG, ad, al)
#define OPEN(k, out, in, l, nonce, tag, ad, al) \
    NAME(PROVIDER_MODE, Decrypt)(AES(k), out, in, l, nonce, NONCE, tag, TAG, ad, al)

#else

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    memcpy(expanded->key, key, KEY);
    return 0;
}

void crypto_aead_release(crypto_aead_key *expanded)
{
    (void)expanded;
}

#define SEAL(k, out, in, l, nonce, tag, ad, al) wc_ChaCha20Poly1305_Encrypt((k)->key, nonce, ad, al, in, l, out, tag)
#define OPEN(k, out, in, l, nonce, tag, ad, al) wc_ChaCha20Poly1305_Decrypt((k)->key, nonce, ad, al, in, l, tag, out)

#endif

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext, uint64_t length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    if (length > UINT32_MAX || ad_length > UINT32_MAX) return -1;
    return SEAL(expanded, packet + TAG, plaintext, (word32)length, nonce, packet, ad, (word32)ad_length) ? -1 : 0;
}

int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet, uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    uint8_t tag[TAG];
    if (packet_length < TAG || packet_length > UINT32_MAX || ad_length > UINT32_MAX) return -1;
    const word32 length = (word32)packet_length - TAG;
    memcpy(tag, packet, TAG);
    if (!OPEN(expanded, plaintext, packet + TAG, length, nonce, tag, ad, (word32)ad_length)) return 0;
    memset(plaintext, 0, length);
    return -1;
}
