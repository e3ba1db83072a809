/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A key encapsulation of the Rust package next to this folder. */
#include "crypto_kem.h"

#define JOINED(prefix, function) prefix##_##function
#define JOIN(prefix, function) JOINED(prefix, function)
#define OF_PACKAGE(function) JOIN(PROVIDER, function)

int OF_PACKAGE(keypair)(unsigned char *pk, unsigned char *sk);
int OF_PACKAGE(enc)(unsigned char *c, unsigned char *k, const unsigned char *pk);
int OF_PACKAGE(dec)(unsigned char *k, const unsigned char *c, const unsigned char *sk);

int crypto_kem_keypair(unsigned char *pk, unsigned char *sk)
{
    return OF_PACKAGE(keypair)(pk, sk);
}

int crypto_kem_enc(unsigned char *c, unsigned char *k, const unsigned char *pk)
{
    return OF_PACKAGE(enc)(c, k, pk);
}

int crypto_kem_dec(unsigned char *k, const unsigned char *c, const unsigned char *sk)
{
    return OF_PACKAGE(dec)(k, c, sk);
}
