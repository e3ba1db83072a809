/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* RSA with message recovery, e = 3. Signing is deterministic; OpenSSL uses random bytes only for
 * blinding. */

#include "context.h"

#define FAMILY_DRAWS 0
#define RSA_BITS (8 * crypto_sign_PUBLICKEYBYTES)
#define RSA_E 3
#include "../rsa_keys.h"

static int family_keypair(unsigned char *pk, unsigned char *sk)
{
    return rsa_keypair(pk, sk);
}

static void *padded(EVP_PKEY_CTX *ctx)
{
    if (ctx && EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PADDING) > 0) return ctx;
    EVP_PKEY_CTX_free(ctx);
    return NULL;
}

static void *family_public(const unsigned char *pk)
{
    return padded(context(rsa_public(pk), EVP_PKEY_verify_recover_init));
}

static void *family_secret(const unsigned char *sk)
{
    return padded(context(rsa_secret(sk), EVP_PKEY_sign_init));
}

static int ronald_hash(unsigned char digest[32], const unsigned char *m, unsigned long long mlen)
{
    return sha256(digest, m, mlen);
}

static int ronald_block_sign(unsigned char *block, const unsigned char *d, unsigned length, void *key)
{
    size_t written = crypto_sign_BYTES;
    return EVP_PKEY_sign(key, block, &written, d, length) > 0 && written == crypto_sign_BYTES ? 0 : -1;
}

static int ronald_block_recover(unsigned char *d, unsigned *length, const unsigned char *block, void *key)
{
    size_t recovered = crypto_sign_BYTES;
    if (EVP_PKEY_verify_recover(key, d, &recovered, block, crypto_sign_BYTES) <= 0) return -1;
    *length = (unsigned)recovered;
    return 0;
}

#include "../../../primitives/crypto_sign/_ronald/recovery.h"

static int family_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m, unsigned long long mlen,
                       void *handle)
{
    return ronald_sign(sm, smlen, m, mlen, handle);
}

static int family_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm, unsigned long long smlen,
                       void *handle)
{
    return ronald_open(m, mlen, sm, smlen, handle);
}
