/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libsodium's curve25519xsalsa20poly1305, whose key generator does not use randombytes().
 * <sodium.h> is not included, because its crypto_* names clash with ours. */
#include "crypto_box.h"

#include <sodium/core.h>
#include <sodium/crypto_box_curve25519xsalsa20poly1305.h>
#include <sodium/crypto_scalarmult_curve25519.h>

#include "randombytes.h"

#define SODIUM(name) crypto_box_curve25519xsalsa20poly1305##name

int crypto_box_keypair(unsigned char *pk, unsigned char *sk)
{
    if (sodium_init() < 0) return -1;
    randombytes(sk, crypto_box_SECRETKEYBYTES);
    return crypto_scalarmult_curve25519_base(pk, sk);
}

int crypto_box(unsigned char *c, const unsigned char *m, unsigned long long mlen, const unsigned char *n,
               const unsigned char *pk, const unsigned char *sk)
{
    return SODIUM()(c, m, mlen, n, pk, sk);
}

int crypto_box_open(unsigned char *m, const unsigned char *c, unsigned long long clen, const unsigned char *n,
                    const unsigned char *pk, const unsigned char *sk)
{
    return SODIUM(_open)(m, c, clen, n, pk, sk);
}

int crypto_box_beforenm(unsigned char *k, const unsigned char *pk, const unsigned char *sk)
{
    if (sodium_init() < 0) return -1;
    return SODIUM(_beforenm)(k, pk, sk);
}

int crypto_box_afternm(unsigned char *c, const unsigned char *m, unsigned long long mlen, const unsigned char *n,
                       const unsigned char *k)
{
    return SODIUM(_afternm)(c, m, mlen, n, k);
}

int crypto_box_open_afternm(unsigned char *m, const unsigned char *c, unsigned long long clen, const unsigned char *n,
                            const unsigned char *k)
{
    return SODIUM(_open_afternm)(m, c, clen, n, k);
}
