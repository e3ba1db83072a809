/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libgcrypt's X25519 (gcry_ecc_mul_point). An all-zero secret is rejected. */
#include "crypto_dh.h"

#include "../ready.h"
#include "randombytes.h"

/* The scalar is clamped here as in RFC 7748, because the function does not do it. */
static int multiply(unsigned char *out, const unsigned char *sk, const unsigned char *point)
{
    unsigned char scalar[crypto_dh_SECRETKEYBYTES];
    memcpy(scalar, sk, sizeof scalar);
    scalar[0] &= 248;
    scalar[31] = (unsigned char)((scalar[31] & 127) | 64);
    return ready() && !gcry_ecc_mul_point(PROVIDER_CURVE, out, scalar, point) ? 0 : -1;
}

int crypto_dh_keypair(unsigned char *pk, unsigned char *sk)
{
    randombytes(sk, crypto_dh_SECRETKEYBYTES);
    return multiply(pk, sk, NULL);
}

int crypto_dh(unsigned char *s, const unsigned char *pk, const unsigned char *sk)
{
    unsigned char any = 0;
    if (multiply(s, sk, pk)) return -1;
    for (size_t i = 0; i < crypto_dh_BYTES; i++) any |= s[i];
    return any ? 0 : -1;
}
