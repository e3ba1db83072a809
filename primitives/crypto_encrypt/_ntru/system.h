/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef NTRU_SYSTEM_H
#define NTRU_SYSTEM_H

/* crypto_encrypt on the blocks of scheme.h.
 *
 * The reference of 2006 draws ONE seed of 20 bytes and takes F and g from it, so
 * that F is a part of g.  crypto_encrypt_keypair draws a seed for each;
 * crypto_encrypt_keypair_published does as the reference, to reproduce its keys. */

#define HYBRID_ROOM NTRU_ROOM
#define HYBRID_BLOCK NTRU_ELEMENT_BYTES
#define hybrid_block_encrypt ntru_block_encrypt
#define hybrid_block_decrypt ntru_block_decrypt
#if NTRU_ROOM >= 64
#include "../_hybrid/hybrid.h"
#else
#include "../_hybrid/short.h"
#endif

_Static_assert(crypto_encrypt_PUBLICKEYBYTES == NTRU_ELEMENT_BYTES &&
                   crypto_encrypt_SECRETKEYBYTES ==
                       NTRU_INDEX_BYTES * NTRU_DF + NTRU_ELEMENT_BYTES,
               "primitive.toml and parameters must agree");

int crypto_encrypt_keypair(unsigned char *pk, unsigned char *sk)
{
    uint8_t seeds[2 * NTRU_SEED];

    do randombytes(seeds, sizeof seeds);
    while (ntru_keypair_from_seeds(pk, sk, seeds, seeds + NTRU_SEED));
    return 0;
}

int crypto_encrypt_keypair_published(unsigned char *pk, unsigned char *sk)
{
    uint8_t seed[NTRU_SEED];

    randombytes(seed, sizeof seed);
    return ntru_keypair_from_seeds(pk, sk, seed, seed);
}

int crypto_encrypt(unsigned char *c, unsigned long long *clen,
                   const unsigned char *m, unsigned long long mlen,
                   const unsigned char *pk)
{
    return hybrid_encrypt(c, clen, m, mlen, pk);
}

int crypto_encrypt_open(unsigned char *m, unsigned long long *mlen,
                        const unsigned char *c, unsigned long long clen,
                        const unsigned char *sk)
{
    return hybrid_open(m, mlen, c, clen, sk);
}

#endif
