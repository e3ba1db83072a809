/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libsodium's Ed25519. Its key generator does not use randombytes(), so the seed is generated here
 * instead. <sodium.h> is not included, because its crypto_* names clash with ours. */
#include "crypto_sign.h"

#include <sodium/core.h>
#include <sodium/crypto_sign_ed25519.h>

#include "randombytes.h"

int crypto_sign_keypair(unsigned char *pk, unsigned char *sk)
{
    unsigned char seed[crypto_sign_ed25519_SEEDBYTES];
    if (sodium_init() < 0) return -1;
    randombytes(seed, sizeof seed);
    return crypto_sign_ed25519_seed_keypair(pk, sk, seed);
}

int crypto_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m, unsigned long long mlen,
                const unsigned char *sk)
{
    return crypto_sign_ed25519(sm, smlen, m, mlen, sk);
}

int crypto_sign_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm, unsigned long long smlen,
                     const unsigned char *pk)
{
    return crypto_sign_ed25519_open(m, mlen, sm, smlen, pk);
}
