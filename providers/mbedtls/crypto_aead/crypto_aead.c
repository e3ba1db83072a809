/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* mbed TLS's AEADs: the functions for one packet at once, which zero the
 * plaintext of a forgery. */
#include "crypto_aead.h"

#include <string.h>

#define TAG crypto_aead_TAGBYTES
#define NONCE crypto_aead_NONCEBYTES
#define BITS (8 * crypto_aead_KEYBYTES)
#define GLUE(a, b) mbedtls_##a##b
#define NAME(a, b) GLUE(a, b)

/* The library's functions take no const context, although they do not modify the key. */
static PROVIDER_CONTEXT *of(const crypto_aead_key *expanded)
{
    return (PROVIDER_CONTEXT *)&expanded->context;
}

#if defined(PROVIDER_GCM)
#define SETKEY(ctx, key) mbedtls_gcm_setkey(ctx, MBEDTLS_CIPHER_ID_AES, key, BITS)
#define SEAL(ctx, l, nonce, ad, al, in, out, tag) \
    mbedtls_gcm_crypt_and_tag(ctx, MBEDTLS_GCM_ENCRYPT, l, nonce, NONCE, ad, al, in, out, TAG, tag)
#define OPEN(ctx, l, nonce, ad, al, tag, in, out) \
    mbedtls_gcm_auth_decrypt(ctx, l, nonce, NONCE, ad, al, tag, TAG, in, out)
#elif defined(PROVIDER_CCM)
#define SETKEY(ctx, key) mbedtls_ccm_setkey(ctx, MBEDTLS_CIPHER_ID_AES, key, BITS)
#define SEAL(ctx, l, nonce, ad, al, in, out, tag) \
    mbedtls_ccm_encrypt_and_tag(ctx, l, nonce, NONCE, ad, al, in, out, tag, TAG)
#define OPEN(ctx, l, nonce, ad, al, tag, in, out) \
    mbedtls_ccm_auth_decrypt(ctx, l, nonce, NONCE, ad, al, in, out, tag, TAG)
#else
#define SETKEY(ctx, key) mbedtls_chachapoly_setkey(ctx, key)
#define SEAL(ctx, l, nonce, ad, al, in, out, tag) \
    mbedtls_chachapoly_encrypt_and_tag(ctx, l, nonce, ad, al, in, out, tag)
#define OPEN(ctx, l, nonce, ad, al, tag, in, out) mbedtls_chachapoly_auth_decrypt(ctx, l, nonce, ad, al, tag, in, out)
#endif

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    NAME(PROVIDER_MODE, _init)(&expanded->context);
    return SETKEY(&expanded->context, key) ? -1 : 0;
}

void crypto_aead_release(crypto_aead_key *expanded)
{
    NAME(PROVIDER_MODE, _free)(&expanded->context);
}

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext, uint64_t length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    return SEAL(of(expanded), (size_t)length, nonce, ad, (size_t)ad_length, plaintext, packet + TAG, packet) ? -1 : 0;
}

int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet, uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    uint8_t tag[TAG];
    if (packet_length < TAG) return -1;
    const size_t length = (size_t)packet_length - TAG;
    memcpy(tag, packet, TAG);
    if (!OPEN(of(expanded), length, nonce, ad, (size_t)ad_length, tag, packet + TAG, plaintext)) return 0;
    memset(plaintext, 0, length);
    return -1;
}
