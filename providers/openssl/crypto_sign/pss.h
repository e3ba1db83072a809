/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* RSASSA-PSS (PKCS #1 v2.2) with SHA-256, MGF1 of SHA-256, a salt of 32 bytes, e = 65537. */

#include "context.h"

#define FAMILY_DRAWS 0
#define RSA_BITS (8 * crypto_sign_PUBLICKEYBYTES)
#define RSA_E 65537
#include "../rsa_keys.h"

static int family_keypair(unsigned char *pk, unsigned char *sk)
{
    return rsa_keypair(pk, sk);
}

static void *padded(EVP_PKEY_CTX *ctx)
{
    if (ctx && EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PSS_PADDING) > 0 &&
        EVP_PKEY_CTX_set_signature_md(ctx, EVP_sha256()) > 0 && EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx, 32) > 0)
        return ctx;
    EVP_PKEY_CTX_free(ctx);
    return NULL;
}

static void *family_public(const unsigned char *pk)
{
    return padded(context(rsa_public(pk), EVP_PKEY_verify_init));
}

static void *family_secret(const unsigned char *sk)
{
    return padded(context(rsa_secret(sk), EVP_PKEY_sign_init));
}

static int signature_make(unsigned char *signature, const unsigned char *m, unsigned long long mlen, void *handle)
{
    unsigned char digest[32];
    size_t length = crypto_sign_BYTES;
    if (sha256(digest, m, mlen)) return -1;
    return EVP_PKEY_sign(handle, signature, &length, digest, sizeof digest) > 0 && length == crypto_sign_BYTES ? 0 : -1;
}

static int signature_holds(const unsigned char *signature, const unsigned char *m, unsigned long long mlen,
                           void *handle)
{
    unsigned char digest[32];
    if (sha256(digest, m, mlen)) return -1;
    return EVP_PKEY_verify(handle, signature, crypto_sign_BYTES, digest, sizeof digest) == 1 ? 0 : -1;
}

#include "../../../primitives/crypto_sign/_library/appended.h"
