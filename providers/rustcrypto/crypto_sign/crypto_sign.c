/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A signature of the Rust package next to this folder: signature || message. */
#include <stdint.h>
#include <string.h>

#include "crypto_sign.h"

#define JOINED(prefix, function) prefix##_##function
#define JOIN(prefix, function) JOINED(prefix, function)
#define OF_PACKAGE(function) JOIN(PROVIDER, function)

int OF_PACKAGE(keypair)(unsigned char *pk, unsigned char *sk);
int OF_PACKAGE(sign)(unsigned char *s, const unsigned char *m, uint64_t mlen, const unsigned char *sk);
int OF_PACKAGE(verify)(const unsigned char *s, const unsigned char *m, uint64_t mlen, const unsigned char *pk);

int crypto_sign_keypair(unsigned char *pk, unsigned char *sk)
{
    return OF_PACKAGE(keypair)(pk, sk);
}

int crypto_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m, unsigned long long mlen,
                const unsigned char *sk)
{
    if (mlen) memcpy(sm + crypto_sign_BYTES, m, mlen);
    *smlen = mlen + crypto_sign_BYTES;
    return OF_PACKAGE(sign)(sm, m, mlen, sk);
}

int crypto_sign_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm, unsigned long long smlen,
                     const unsigned char *pk)
{
    if (smlen < crypto_sign_BYTES) return -1;
    *mlen = smlen - crypto_sign_BYTES;
    if (OF_PACKAGE(verify)(sm, sm + crypto_sign_BYTES, *mlen, pk)) return -1;
    if (*mlen) memcpy(m, sm + crypto_sign_BYTES, *mlen);
    return 0;
}
