/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* mbed TLS's modes of AES. */
#include "crypto_cipher.h"

#include <string.h>

#define IV crypto_cipher_IVBYTES
#define BITS (8 * crypto_cipher_KEYBYTES)

int crypto_cipher_expandkey(crypto_cipher_key *expanded, const uint8_t *key)
{
    mbedtls_aes_init(&expanded->encrypt);
#ifdef PROVIDER_CBC
    mbedtls_aes_init(&expanded->decrypt);
    if (mbedtls_aes_setkey_dec(&expanded->decrypt, key, BITS)) return -1;
#endif
    return mbedtls_aes_setkey_enc(&expanded->encrypt, key, BITS) ? -1 : 0;
}

#ifdef PROVIDER_CBC

static int process(mbedtls_aes_context *ctx, int direction, uint8_t *out, const uint8_t *in, uint64_t length,
                   const uint8_t *iv)
{
    uint8_t chain[IV];
    memcpy(chain, iv, IV);
    return mbedtls_aes_crypt_cbc(ctx, direction, (size_t)length, chain, in, out) ? -1 : 0;
}

int crypto_cipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                          const crypto_cipher_key *expanded)
{
    return process((mbedtls_aes_context *)&expanded->encrypt, MBEDTLS_AES_ENCRYPT, out, in, length, iv);
}

int crypto_cipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                          const crypto_cipher_key *expanded)
{
    return process((mbedtls_aes_context *)&expanded->decrypt, MBEDTLS_AES_DECRYPT, out, in, length, iv);
}

#else

int crypto_cipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                          const crypto_cipher_key *expanded)
{
    mbedtls_aes_context *ctx = (mbedtls_aes_context *)&expanded->encrypt; /* the library's type is not const */
    uint8_t counter[IV];
    size_t used = 0;
    memcpy(counter, iv, IV);
#ifdef PROVIDER_CTR
    uint8_t pad[IV];
    return mbedtls_aes_crypt_ctr(ctx, (size_t)length, &used, counter, pad, in, out) ? -1 : 0;
#else
    return mbedtls_aes_crypt_ofb(ctx, (size_t)length, &used, counter, in, out) ? -1 : 0;
#endif
}

int crypto_cipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                          const crypto_cipher_key *expanded)
{
    return crypto_cipher_encrypt(out, in, length, iv, expanded);
}

#endif
