/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* EdDSA (RFC 8032): sk = seed || pk, so that signing need not compute pk again. */

#define FAMILY_DRAWS 0 /* the seed is generated here */
#define HALF crypto_sign_PUBLICKEYBYTES

static int family_keypair(unsigned char *pk, unsigned char *sk)
{
    size_t length = HALF;
    randombytes(sk, HALF);
    EVP_PKEY *key = EVP_PKEY_new_raw_private_key_ex(NULL, PROVIDER_EDWARDS, NULL, sk, HALF);
    const int failed = !key || EVP_PKEY_get_raw_public_key(key, pk, &length) <= 0;
    EVP_PKEY_free(key);
    if (failed) return -1;
    memcpy(sk + HALF, pk, HALF);
    return 0;
}

static void *family_public(const unsigned char *pk)
{
    return EVP_PKEY_new_raw_public_key_ex(NULL, PROVIDER_EDWARDS, NULL, pk, HALF);
}

static void *family_secret(const unsigned char *sk)
{
    OSSL_PARAM parameters[] = {parameter_bytes(OSSL_PKEY_PARAM_PRIV_KEY, sk, HALF),
                               parameter_bytes(OSSL_PKEY_PARAM_PUB_KEY, sk + HALF, HALF), OSSL_PARAM_END};
    return parameter_key(PROVIDER_EDWARDS, EVP_PKEY_KEYPAIR, parameters);
}

static void family_release(void *handle)
{
    EVP_PKEY_free(handle);
}

static int signature_make(unsigned char *signature, const unsigned char *m, unsigned long long mlen, void *handle)
{
    size_t length = crypto_sign_BYTES;
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    const int made = ctx && EVP_DigestSignInit_ex(ctx, NULL, NULL, NULL, NULL, handle, NULL) > 0 &&
                     EVP_DigestSign(ctx, signature, &length, m, (size_t)mlen) > 0;
    EVP_MD_CTX_free(ctx);
    return made ? 0 : -1;
}

static int signature_holds(const unsigned char *signature, const unsigned char *m, unsigned long long mlen,
                           void *handle)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    const int holds = ctx && EVP_DigestVerifyInit_ex(ctx, NULL, NULL, NULL, NULL, handle, NULL) > 0 &&
                      EVP_DigestVerify(ctx, signature, crypto_sign_BYTES, m, (size_t)mlen) == 1;
    EVP_MD_CTX_free(ctx);
    return holds ? 0 : -1;
}

#include "../../../primitives/crypto_sign/_library/appended.h"
