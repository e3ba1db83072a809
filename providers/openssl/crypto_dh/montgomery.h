/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* X25519 and X448: an all-zero secret, from a public key of small order, is rejected. */

#include "../montgomery_keys.h"

static int family_keypair(unsigned char *pk, unsigned char *sk)
{
    randombytes(sk, crypto_dh_SECRETKEYBYTES);
    return montgomery_base(pk, sk, crypto_dh_SECRETKEYBYTES);
}

static int family_shared(unsigned char *s, const unsigned char *pk, const unsigned char *sk)
{
    return derive(s, montgomery_secret(sk, crypto_dh_SECRETKEYBYTES), montgomery_public(pk, crypto_dh_PUBLICKEYBYTES));
}
