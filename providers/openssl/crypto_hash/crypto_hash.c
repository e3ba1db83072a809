/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* OpenSSL's hash functions through EVP: the algorithm is fetched once, one context reused
 * (EVP_DigestInit(3)). */
#include "crypto_hash.h"

#include <openssl/evp.h>

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    static EVP_MD *hash;
    static EVP_MD_CTX *ctx;
    if (!hash) {
        hash = EVP_MD_fetch(NULL, PROVIDER_HASH, NULL);
        ctx = EVP_MD_CTX_new();
        if (!hash || !ctx) return -1;
    }
    if (!EVP_DigestInit_ex2(ctx, hash, NULL) || !EVP_DigestUpdate(ctx, in, (size_t)inlen)) return -1;
    return EVP_DigestFinal_ex(ctx, out, NULL) ? 0 : -1;
}
