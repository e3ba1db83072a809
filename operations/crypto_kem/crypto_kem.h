/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_KEM_H
#define CRYPTO_KEM_H

/* crypto_kem: key encapsulation, a new session key and its ciphertext.
 *
 * An implementation is a folder with
 *
 *   *.c, *.cc, *.S       the three functions below, nothing else global
 *   crypto_kem_types.h   optional: defines the capability macro below
 *
 * From primitive.toml: crypto_kem_PUBLICKEYBYTES, crypto_kem_SECRETKEYBYTES,
 * crypto_kem_CIPHERTEXTBYTES, crypto_kem_BYTES (the session key). Pointers may have any alignment,
 * outputs and inputs do not overlap. Functions return 0 on success; random bytes come from
 * "randombytes.h" only. No heap, no mutable globals (except in libraries).
 *
 * Capability macro, to be defined as 1:
 *   crypto_kem_OWN_RANDOM   its random bytes do not come from randombytes() */

#if __has_include("crypto_kem_types.h")
#include "crypto_kem_types.h"
#endif

/* Generates a key pair. */
int crypto_kem_keypair(unsigned char *pk, unsigned char *sk);

/* Generates a session key k and its ciphertext c. */
int crypto_kem_enc(unsigned char *c, unsigned char *k, const unsigned char *pk);

/* Computes the session key of c. A forged c gives another key or a nonzero return value. */
int crypto_kem_dec(unsigned char *k, const unsigned char *c, const unsigned char *sk);

#endif
