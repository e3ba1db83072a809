/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Signatures r || s of DSA and ECDSA, of the hash SHA-1(SHA-256(m)). EVP takes and returns the DER
 * form, a sequence of two integers, for both. */

#include <openssl/ec.h>

#include "context.h"

#define FAMILY_DRAWS 1
#define HALF (crypto_sign_BYTES / 2)
#define DER_MOST (crypto_sign_BYTES + 16)

static int pair_hash(unsigned char digest[20], const unsigned char *m, unsigned long long mlen)
{
    static EVP_MD *fetched;
    unsigned char inner[32];
    return sha256(inner, m, mlen) || hashed(digest, "SHA1", &fetched, inner, sizeof inner) ? -1 : 0;
}

static int signature_make(unsigned char *signature, const unsigned char *m, unsigned long long mlen, void *handle)
{
    unsigned char digest[20], der[DER_MOST];
    const unsigned char *at = der;
    size_t length = sizeof der;
    if (pair_hash(digest, m, mlen) || EVP_PKEY_sign(handle, der, &length, digest, sizeof digest) <= 0) return -1;
    ECDSA_SIG *pair = d2i_ECDSA_SIG(NULL, &at, (long)length);
    const int fits = pair && BN_bn2binpad(ECDSA_SIG_get0_r(pair), signature, HALF) >= 0 &&
                     BN_bn2binpad(ECDSA_SIG_get0_s(pair), signature + HALF, HALF) >= 0;
    ECDSA_SIG_free(pair);
    return fits ? 0 : -1;
}

static int signature_der(unsigned char der[DER_MOST], const unsigned char *signature)
{
    ECDSA_SIG *pair = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(signature, HALF, NULL), *s = BN_bin2bn(signature + HALF, HALF, NULL);
    int length = -1;
    if (pair && ECDSA_SIG_set0(pair, r, s)) {
        length = i2d_ECDSA_SIG(pair, NULL) <= DER_MOST ? i2d_ECDSA_SIG(pair, &der) : -1;
    } else {
        BN_free(r);
        BN_free(s);
    }
    ECDSA_SIG_free(pair);
    return length;
}

static int signature_holds(const unsigned char *signature, const unsigned char *m, unsigned long long mlen,
                           void *handle)
{
    unsigned char digest[20], der[DER_MOST];
    const int length = signature_der(der, signature);
    if (length < 0 || pair_hash(digest, m, mlen)) return -1;
    return EVP_PKEY_verify(handle, der, (size_t)length, digest, sizeof digest) == 1 ? 0 : -1;
}

#include "../../../primitives/crypto_sign/_library/appended.h"
