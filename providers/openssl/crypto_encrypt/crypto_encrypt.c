/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* RSA of OpenSSL through EVP, e = 3, PKCS #1 v1.5, with the hybrid wrapper for long messages. Keys
 * are parsed in every call, as the API requires. */
#include "crypto_encrypt.h"

#include <openssl/rsa.h>

#include "../parameters.h"
#include "../random.h"

#define RSA_BITS (8 * crypto_encrypt_PUBLICKEYBYTES)
#define RSA_E 3
#include "../rsa_keys.h"

#define HYBRID_BLOCK RSA_BYTES
#define HYBRID_ROOM (RSA_BYTES - 11)

static EVP_PKEY_CTX *context(EVP_PKEY *key, int (*start)(EVP_PKEY_CTX *))
{
    EVP_PKEY_CTX *made = key ? EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL) : NULL;
    EVP_PKEY_free(key); /* the context holds it */
    if (made && start(made) > 0 && EVP_PKEY_CTX_set_rsa_padding(made, RSA_PKCS1_PADDING) > 0) return made;
    EVP_PKEY_CTX_free(made);
    return NULL;
}

static int hybrid_block_encrypt(unsigned char *c, const unsigned char *m, unsigned length, const unsigned char *pk)
{
    size_t written = RSA_BYTES;
    EVP_PKEY_CTX *ctx = context(rsa_public(pk), EVP_PKEY_encrypt_init);
    random_visible(1);
    const int done = ctx && EVP_PKEY_encrypt(ctx, c, &written, m, length) > 0 && written == RSA_BYTES;
    random_visible(0);
    EVP_PKEY_CTX_free(ctx);
    return done ? 0 : -1;
}

static int hybrid_block_decrypt(unsigned char *m, unsigned *length, const unsigned char *c, const unsigned char *sk)
{
    unsigned char room[RSA_BYTES]; /* which OpenSSL requires */
    size_t written = sizeof room;
    EVP_PKEY_CTX *ctx = context(rsa_secret(sk), EVP_PKEY_decrypt_init);
    const int done = ctx && EVP_PKEY_decrypt(ctx, room, &written, c, RSA_BYTES) > 0 && written <= HYBRID_ROOM;
    EVP_PKEY_CTX_free(ctx);
    if (done) memcpy(m, room, written);
    *length = (unsigned)written;
    return done ? 0 : -1;
}

#define SALSA20_ROUNDS 20
#include "../../../primitives/crypto_stream/_salsa20/ref.h"
#if RSA_BITS < 600
#include "../../../primitives/crypto_encrypt/_hybrid/short.h"
#else
#include "../../../primitives/crypto_encrypt/_hybrid/hybrid.h"
#endif

int crypto_encrypt_keypair(unsigned char *pk, unsigned char *sk)
{
    random_visible(1);
    const int failed = rsa_keypair(pk, sk);
    random_visible(0);
    return failed;
}

int crypto_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m, unsigned long long mlen,
                   const unsigned char *pk)
{
    return hybrid_encrypt(c, clen, m, mlen, pk);
}

int crypto_encrypt_open(unsigned char *m, unsigned long long *mlen, const unsigned char *c, unsigned long long clen,
                        const unsigned char *sk)
{
    return hybrid_open(m, mlen, c, clen, sk);
}
