/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* OpenSSL's modes of AES through EVP: the key is set once in a context, and each message sets the
 * IV. */
#include "crypto_cipher.h"

#include <limits.h>
#include <openssl/evp.h>

static EVP_CIPHER_CTX *context(const uint8_t *key, int encrypting)
{
    static EVP_CIPHER *cipher;
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    if (!cipher) cipher = EVP_CIPHER_fetch(NULL, PROVIDER_CIPHER, NULL);
    if (ctx && cipher && EVP_CipherInit_ex2(ctx, cipher, key, NULL, encrypting, NULL) &&
        EVP_CIPHER_CTX_set_padding(ctx, 0))
        return ctx;
    EVP_CIPHER_CTX_free(ctx);
    return NULL;
}

int crypto_cipher_expandkey(crypto_cipher_key *expanded, const uint8_t *key)
{
    expanded->encrypt = context(key, 1);
    expanded->decrypt = context(key, 0);
    return expanded->encrypt && expanded->decrypt ? 0 : -1;
}

void crypto_cipher_release(crypto_cipher_key *expanded)
{
    EVP_CIPHER_CTX_free(expanded->encrypt);
    EVP_CIPHER_CTX_free(expanded->decrypt);
}

static int process(EVP_CIPHER_CTX *ctx, uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv)
{
    int done;
    if (length > INT_MAX || length % crypto_cipher_BLOCKBYTES) return -1;
    if (crypto_cipher_IVBYTES && !EVP_CipherInit_ex2(ctx, NULL, NULL, iv, -1, NULL)) return -1;
    if (length && !EVP_CipherUpdate(ctx, out, &done, in, (int)length)) return -1;
    return 0;
}

int crypto_cipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                          const crypto_cipher_key *expanded)
{
    return process(expanded->encrypt, out, in, length, iv);
}

int crypto_cipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                          const crypto_cipher_key *expanded)
{
    return process(expanded->decrypt, out, in, length, iv);
}
