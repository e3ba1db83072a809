/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Signed messages of PQClean's API, whose lengths are of type size_t. The functions
 * foreign_sign... are PQClean's. */
#include "crypto_sign.h"

#include <stddef.h>

int foreign_sign_keypair(unsigned char *pk, unsigned char *sk);
int foreign_sign(unsigned char *sm, size_t *smlen, const unsigned char *m, size_t mlen, const unsigned char *sk);
int foreign_sign_open(unsigned char *m, size_t *mlen, const unsigned char *sm, size_t smlen, const unsigned char *pk);

int crypto_sign_keypair(unsigned char *pk, unsigned char *sk)
{
    return foreign_sign_keypair(pk, sk);
}

int crypto_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m, unsigned long long mlen,
                const unsigned char *sk)
{
    size_t length = 0;
    const int result = foreign_sign(sm, &length, m, (size_t)mlen, sk);
    *smlen = length;
    return result;
}

int crypto_sign_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm, unsigned long long smlen,
                     const unsigned char *pk)
{
    size_t length = 0;
    const int result = foreign_sign_open(m, &length, sm, (size_t)smlen, pk);
    *mlen = length;
    return result;
}
