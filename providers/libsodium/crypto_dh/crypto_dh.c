/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libsodium's X25519; it rejects points of small order. <sodium.h> is not included, because its
 * crypto_* names clash with ours. */
#include "crypto_dh.h"

#include <sodium/core.h>
#include <sodium/crypto_scalarmult_curve25519.h>

#include "randombytes.h"

int crypto_dh_keypair(unsigned char *pk, unsigned char *sk)
{
    if (sodium_init() < 0) return -1;
    randombytes(sk, crypto_dh_SECRETKEYBYTES);
    return crypto_scalarmult_curve25519_base(pk, sk);
}

int crypto_dh(unsigned char *s, const unsigned char *pk, const unsigned char *sk)
{
    if (sodium_init() < 0) return -1;
    return crypto_scalarmult_curve25519(s, sk, pk);
}
