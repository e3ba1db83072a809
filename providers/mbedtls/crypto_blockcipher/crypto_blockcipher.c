/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* mbed TLS's AES: block by block. */
#include "crypto_blockcipher.h"

#define BLOCK crypto_blockcipher_BLOCKBYTES

int crypto_blockcipher_expandkey(crypto_blockcipher_key *expanded, const uint8_t *key, uint64_t key_bytes)
{
    mbedtls_aes_init(&expanded->encrypt);
    mbedtls_aes_init(&expanded->decrypt);
    if (key_bytes != 16 && key_bytes != 24 && key_bytes != 32) return -1;
    if (mbedtls_aes_setkey_enc(&expanded->encrypt, key, (unsigned)(8 * key_bytes))) return -1;
    return mbedtls_aes_setkey_dec(&expanded->decrypt, key, (unsigned)(8 * key_bytes)) ? -1 : 0;
}

void crypto_blockcipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
    mbedtls_aes_context *ctx = (mbedtls_aes_context *)&expanded->encrypt; /* the library's type is not const */
    for (; blocks > 0; blocks--, out += BLOCK, in += BLOCK) mbedtls_aes_crypt_ecb(ctx, MBEDTLS_AES_ENCRYPT, in, out);
}

void crypto_blockcipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
    mbedtls_aes_context *ctx = (mbedtls_aes_context *)&expanded->decrypt;
    for (; blocks > 0; blocks--, out += BLOCK, in += BLOCK) mbedtls_aes_crypt_ecb(ctx, MBEDTLS_AES_DECRYPT, in, out);
}
