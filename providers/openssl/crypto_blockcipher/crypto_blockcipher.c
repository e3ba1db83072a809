/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* OpenSSL's AES through EVP in ECB mode, without padding. */
#include "crypto_blockcipher.h"

#include <openssl/evp.h>

#define BLOCK crypto_blockcipher_BLOCKBYTES

static EVP_CIPHER *fetched(uint64_t key_bytes)
{
    static EVP_CIPHER *ciphers[3];
    static const char *const names[3] = {"AES-128-ECB", "AES-192-ECB", "AES-256-ECB"};
    const uint64_t which = key_bytes / 8 - 2;
    if (key_bytes % 8 || which > 2) return NULL;
    if (!ciphers[which]) ciphers[which] = EVP_CIPHER_fetch(NULL, names[which], NULL);
    return ciphers[which];
}

static EVP_CIPHER_CTX *context(const EVP_CIPHER *cipher, const uint8_t *key, int encrypting)
{
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    if (ctx && EVP_CipherInit_ex2(ctx, cipher, key, NULL, encrypting, NULL) && EVP_CIPHER_CTX_set_padding(ctx, 0))
        return ctx;
    EVP_CIPHER_CTX_free(ctx);
    return NULL;
}

int crypto_blockcipher_expandkey(crypto_blockcipher_key *expanded, const uint8_t *key, uint64_t key_bytes)
{
    const EVP_CIPHER *cipher = fetched(key_bytes);
    if (!cipher) return -1;
    expanded->encrypt = context(cipher, key, 1);
    expanded->decrypt = context(cipher, key, 0);
    return expanded->encrypt && expanded->decrypt ? 0 : -1;
}

void crypto_blockcipher_release(crypto_blockcipher_key *expanded)
{
    EVP_CIPHER_CTX_free(expanded->encrypt);
    EVP_CIPHER_CTX_free(expanded->decrypt);
}

static void process(EVP_CIPHER_CTX *ctx, uint8_t *out, const uint8_t *in, uint64_t blocks)
{
    int done;
    for (uint64_t now; blocks > 0; blocks -= now, in += now * BLOCK, out += now * BLOCK) {
        now = blocks < 1 << 20 ? blocks : 1 << 20; /* its lengths are ints */
        EVP_CipherUpdate(ctx, out, &done, in, (int)(now * BLOCK));
    }
}

void crypto_blockcipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
    process(expanded->encrypt, out, in, blocks);
}

void crypto_blockcipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
    process(expanded->decrypt, out, in, blocks);
}
