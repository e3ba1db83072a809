/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* OpenSSL's HMAC and CMAC through EVP (EVP_MAC(3)); PROVIDER_OF is the name of the parameter that
 * selects the hash or cipher. */
#include "crypto_auth.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>

static EVP_MAC_CTX *context(void)
{
    static EVP_MAC_CTX *ctx;
    if (ctx) return ctx;
    const OSSL_PARAM over[] = {OSSL_PARAM_construct_utf8_string(PROVIDER_OF, PROVIDER_ALGORITHM, 0),
                               OSSL_PARAM_construct_end()};
    EVP_MAC *mac = EVP_MAC_fetch(NULL, PROVIDER_MAC, NULL);
    ctx = EVP_MAC_CTX_new(mac);
    if (ctx) EVP_MAC_CTX_set_params(ctx, over);
    return ctx;
}

int crypto_auth(unsigned char *out, const unsigned char *in, unsigned long long inlen, const unsigned char *k)
{
    EVP_MAC_CTX *ctx = context();
    size_t done;
    if (!ctx || !EVP_MAC_init(ctx, k, crypto_auth_KEYBYTES, NULL)) return -1;
    if (!EVP_MAC_update(ctx, in, (size_t)inlen)) return -1;
    return EVP_MAC_final(ctx, out, &done, crypto_auth_BYTES) && done == crypto_auth_BYTES ? 0 : -1;
}

int crypto_auth_verify(const unsigned char *h, const unsigned char *in, unsigned long long inlen,
                       const unsigned char *k)
{
    unsigned char right[crypto_auth_BYTES];
    if (crypto_auth(right, in, inlen, k)) return -1;
    return CRYPTO_memcmp(h, right, sizeof right) ? -1 : 0;
}
