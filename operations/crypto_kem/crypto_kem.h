/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_KEM_H
#define CRYPTO_KEM_H

/* crypto_kem: key encapsulation, a fresh session key and its ciphertext.
 *
 * An implementation is a folder with
 *
 *   *.c, *.cc, *.S       the three functions below, nothing else global
 *   crypto_kem_types.h   optional: the capability macro below
 *
 * From primitive.toml: crypto_kem_PUBLICKEYBYTES, crypto_kem_SECRETKEYBYTES,
 * crypto_kem_CIPHERTEXTBYTES, crypto_kem_BYTES (the session key).  Pointers have
 * any alignment, outputs and inputs do not overlap.  0 is success; random bytes
 * come from "randombytes.h" alone.  No heap, no globals that change (libraries
 * excepted).
 *
 * Capability macro, to be defined as 1:
 *   crypto_kem_OWN_RANDOM   draws random bytes where the harness cannot see them */

#if __has_include("crypto_kem_types.h")
#include "crypto_kem_types.h"
#endif

/* Draws a key pair. */
int crypto_kem_keypair(unsigned char *pk, unsigned char *sk);

/* Draws a session key k and gives it and its ciphertext c. */
int crypto_kem_enc(unsigned char *c, unsigned char *k, const unsigned char *pk);

/* The session key of c.  A forged c gives another key or fails (not 0). */
int crypto_kem_dec(unsigned char *k, const unsigned char *c, const unsigned char *sk);

#endif
