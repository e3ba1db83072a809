/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_DH_H
#define CRYPTO_DH_H

/* crypto_dh: two parties with key pairs share a secret, as Diffie and Hellman
 * (New directions in cryptography, 1976).
 *
 * An implementation is a folder with
 *
 *   *.c, *.cc, *.S      the two functions below, nothing else global
 *   crypto_dh_types.h   optional: the capability macros below
 *
 * From primitive.toml: crypto_dh_PUBLICKEYBYTES, crypto_dh_SECRETKEYBYTES,
 * crypto_dh_BYTES (the shared secret).  Pointers have any alignment, outputs
 * and inputs do not overlap.  0 is success; random bytes come from
 * "randombytes.h" alone.  No heap, no globals that change (libraries excepted).
 *
 * Capability macros, to be defined as 1:
 *   crypto_dh_OWN_RANDOM    draws random bytes where the harness cannot see them
 *   crypto_dh_OWN_DRAWING   makes keys of the bytes of randombytes() in a way of its own (libraries):
 *                           those of two are not compared */

#if __has_include("crypto_dh_types.h")
#include "crypto_dh_types.h"
#endif

/* Draws a key pair. */
int crypto_dh_keypair(unsigned char *pk, unsigned char *sk);

/* The secret s shared by the holder of sk and the owner of pk.  Draws no random
 * bytes.  Not 0 for a public key that is none, where the system notices. */
int crypto_dh(unsigned char *s, const unsigned char *pk, const unsigned char *sk);

#endif
