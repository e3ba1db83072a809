/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_ENCRYPT_H
#define CRYPTO_ENCRYPT_H

/* crypto_encrypt: public-key encryption of messages of any length.
 *
 * An implementation is a folder with
 *
 *   *.c, *.cc, *.S           the three functions below, nothing else global
 *   crypto_encrypt_types.h   optional: defines the capability macros below
 *
 * From primitive.toml: crypto_encrypt_PUBLICKEYBYTES, crypto_encrypt_SECRETKEYBYTES,
 * crypto_encrypt_BYTES, the maximum number of bytes by which a ciphertext is longer than its
 * message, and crypto_encrypt_CHOSENCIPHERTEXT: 1 if the system claims security against chosen
 * ciphertexts, so that every changed one is rejected; 0 if a changed one may decrypt to another
 * message. Pointers may have any alignment, lengths are in bytes, outputs and inputs do not
 * overlap. Functions return 0 on success; random bytes come from "randombytes.h" only. No heap, no
 * mutable globals (except in libraries). */

#if __has_include("crypto_encrypt_types.h")
#include "crypto_encrypt_types.h"
#endif

/* Generates a key pair. */
int crypto_encrypt_keypair(unsigned char *pk, unsigned char *sk);

/* Encrypts. `c` has room for mlen + crypto_encrypt_BYTES; the bytes beyond *clen may be written. */
int crypto_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m, unsigned long long mlen,
                   const unsigned char *pk);

/* Decrypts. `m` has room for clen bytes, all of which may be written. Returns nonzero if c, of
 * whatever length, is not a valid ciphertext; the caller then ignores m and *mlen. */
int crypto_encrypt_open(unsigned char *m, unsigned long long *mlen, const unsigned char *c, unsigned long long clen,
                        const unsigned char *sk);

/* ---- capability macros, each to be defined as 1 ---------------------------
 *
 * crypto_encrypt_OWN_RANDOM          its random bytes do not come from randombytes()
 * crypto_encrypt_OWN_DRAWING         it derives keys or ciphertexts from the bytes of randombytes() in its own way
 *                                    (libraries): results of two implementations are not compared
 * crypto_encrypt_COMPLETES           part of the secret key determines the rest
 * crypto_encrypt_PUBLISHED_KEYPAIR   key generation differs from the reference, which is flawed, but the
 *                                    reference's is available for vectors */

#ifdef crypto_encrypt_COMPLETES
/* Computes the whole secret key from the part that a vector contains. */
int crypto_encrypt_complete(unsigned char *sk, const unsigned char *part, unsigned long long part_bytes);
#endif

#ifdef crypto_encrypt_PUBLISHED_KEYPAIR
/* As crypto_encrypt_keypair, but derives the key from a vector's keypair_random as the reference
 * does. For vectors only, never for a key that protects anything. */
int crypto_encrypt_keypair_published(unsigned char *pk, unsigned char *sk);
#endif

#endif
