/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* OpenSSL's GMAC through EVP (EVP_MAC-GMAC(7)). */
#include "crypto_nonceauth.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

static EVP_MAC_CTX *context(void)
{
    static EVP_MAC_CTX *ctx;
    if (ctx) return ctx;
    const OSSL_PARAM over[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_CIPHER, PROVIDER_CIPHER, 0),
                               OSSL_PARAM_construct_end()};
    EVP_MAC *mac = EVP_MAC_fetch(NULL, "GMAC", NULL);
    ctx = EVP_MAC_CTX_new(mac);
    if (ctx) EVP_MAC_CTX_set_params(ctx, over);
    return ctx;
}

int crypto_nonceauth(unsigned char *out, const unsigned char *in, unsigned long long inlen, const unsigned char *n,
                     const unsigned char *k)
{
    EVP_MAC_CTX *ctx = context();
    const OSSL_PARAM nonce[] = {
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, (void *)n, crypto_nonceauth_NONCEBYTES),
        OSSL_PARAM_construct_end()};
    size_t done;
    if (!ctx || !EVP_MAC_init(ctx, k, crypto_nonceauth_KEYBYTES, nonce)) return -1;
    if (!EVP_MAC_update(ctx, in, (size_t)inlen)) return -1;
    return EVP_MAC_final(ctx, out, &done, crypto_nonceauth_BYTES) ? 0 : -1;
}
