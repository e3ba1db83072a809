/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_ENCRYPT_H
#define CRYPTO_ENCRYPT_H

/* crypto_encrypt: public-key encryption of messages of any length.
 *
 * An implementation is a folder with
 *
 *   *.c, *.cc, *.S           the three functions below, nothing else global
 *   crypto_encrypt_types.h   optional: the capability macros below
 *
 * From primitive.toml: crypto_encrypt_PUBLICKEYBYTES,
 * crypto_encrypt_SECRETKEYBYTES, crypto_encrypt_BYTES, the most that a ciphertext
 * is longer than its message, and crypto_encrypt_CHOSENCIPHERTEXT: 1 when the
 * system claims security against chosen ciphertexts, so that every changed one
 * is rejected; 0 when it may be opened as another message.  Pointers have any
 * alignment, lengths are in bytes, outputs and inputs do not overlap.  0 is
 * success; random bytes come from "randombytes.h" alone.  No heap, no globals
 * that change (libraries excepted). */

#if __has_include("crypto_encrypt_types.h")
#include "crypto_encrypt_types.h"
#endif

/* Draws a key pair. */
int crypto_encrypt_keypair(unsigned char *pk, unsigned char *sk);

/* Encrypts.  `c` has room for mlen + crypto_encrypt_BYTES; the bytes beyond
 * *clen may be written. */
int crypto_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m, unsigned long long mlen,
                   const unsigned char *pk);

/* Decrypts.  `m` has room for clen bytes, all of which may be written.  Not 0
 * when c, of whatever length, is no ciphertext: then nobody reads m and *mlen. */
int crypto_encrypt_open(unsigned char *m, unsigned long long *mlen, const unsigned char *c, unsigned long long clen,
                        const unsigned char *sk);

/* ---- capability macros, each to be defined as 1 ---------------------------
 *
 * crypto_encrypt_OWN_RANDOM   draws random bytes where the harness cannot see them
 * crypto_encrypt_OWN_DRAWING  makes keys or ciphertexts of the bytes of randombytes() in a way of its own
 *                             (libraries): the results of two are not compared
 * crypto_encrypt_COMPLETES    a part of the secret key determines the rest
 * crypto_encrypt_PUBLISHED_KEYPAIR   draws keys otherwise than the reference did,
 *                             because that is flawed, and can do as it did, too */

#ifdef crypto_encrypt_COMPLETES
/* The whole secret key from the part that a vector gives. */
int crypto_encrypt_complete(unsigned char *sk, const unsigned char *part, unsigned long long part_bytes);
#endif

#ifdef crypto_encrypt_PUBLISHED_KEYPAIR
/* As crypto_encrypt_keypair, from a vector's keypair_random as the reference takes
 * it: for vectors alone, never to make a key that protects anything. */
int crypto_encrypt_keypair_published(unsigned char *pk, unsigned char *sk);
#endif

#endif
