/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_BOX_H
#define CRYPTO_BOX_H

/* crypto_box: public-key authenticated encryption between two key pairs, with NaCl's zero-padded
 * interface (Bernstein, Cryptography in NaCl, 2009).
 *
 * An implementation is a folder with
 *
 *   *.c, *.cc, *.S       the six functions below, nothing else global
 *   crypto_box_types.h   optional: defines the capability macro below
 *
 * From primitive.toml: crypto_box_PUBLICKEYBYTES, crypto_box_SECRETKEYBYTES,
 * crypto_box_NONCEBYTES, crypto_box_BEFORENMBYTES, crypto_box_ZEROBYTES, crypto_box_BOXZEROBYTES.
 *
 * A message m begins with ZEROBYTES zero bytes and mlen counts them, so mlen >= ZEROBYTES. Its
 * ciphertext c has mlen bytes too and begins with BOXZEROBYTES zero bytes. Only the mlen -
 * BOXZEROBYTES bytes after them are transmitted: ZEROBYTES - BOXZEROBYTES more than the message
 * without its zero bytes.
 *
 * Pointers may have any alignment; c and m may be the same. Functions return 0 on success.
 * crypto_box_open and crypto_box_open_afternm return nonzero for every c that was not boxed with
 * that nonce between those two keys, and for clen < ZEROBYTES; every byte of m is then unchanged or
 * zero. No heap, no mutable globals (except in libraries).
 *
 * Capability macro, to be defined as 1:
 *   crypto_box_OWN_RANDOM   its random bytes do not come from randombytes() */

#if __has_include("crypto_box_types.h")
#include "crypto_box_types.h"
#endif

/* Generates a key pair. */
int crypto_box_keypair(unsigned char *pk, unsigned char *sk);

/* Boxes m for pk from sk, with nonce n. */
int crypto_box(unsigned char *c, const unsigned char *m, unsigned long long mlen, const unsigned char *n,
               const unsigned char *pk, const unsigned char *sk);

/* Opens what the holder of the secret key for pk has boxed for the public key of sk. */
int crypto_box_open(unsigned char *m, const unsigned char *c, unsigned long long clen, const unsigned char *n,
                    const unsigned char *pk, const unsigned char *sk);

/* The same in two steps: beforenm computes what depends only on the keys, afternm does the rest. */
int crypto_box_beforenm(unsigned char *k, const unsigned char *pk, const unsigned char *sk);
int crypto_box_afternm(unsigned char *c, const unsigned char *m, unsigned long long mlen, const unsigned char *n,
                       const unsigned char *k);
int crypto_box_open_afternm(unsigned char *m, const unsigned char *c, unsigned long long clen, const unsigned char *n,
                            const unsigned char *k);

#endif
