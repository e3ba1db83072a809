/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_DH_H
#define CRYPTO_DH_H

/* crypto_dh: key agreement of two parties with key pairs (Diffie and Hellman, "New directions in
 * cryptography", 1976).
 *
 * An implementation is a folder with
 *
 *   *.c, *.cc, *.S      the two functions below, nothing else global
 *   crypto_dh_types.h   optional: defines the capability macros below
 *
 * From primitive.toml: crypto_dh_PUBLICKEYBYTES, crypto_dh_SECRETKEYBYTES, crypto_dh_BYTES (the
 * shared secret). Pointers may have any alignment, outputs and inputs do not overlap. Functions
 * return 0 on success; random bytes come from "randombytes.h" only. No heap, no mutable globals
 * (except in libraries).
 *
 * Capability macros, to be defined as 1:
 *   crypto_dh_OWN_RANDOM    its random bytes do not come from randombytes()
 *   crypto_dh_OWN_DRAWING   it derives keys from the bytes of randombytes() in its own way (libraries): keys of
 *                           two implementations are not compared */

#if __has_include("crypto_dh_types.h")
#include "crypto_dh_types.h"
#endif

/* Generates a key pair. */
int crypto_dh_keypair(unsigned char *pk, unsigned char *sk);

/* Computes the secret s that the holder of sk shares with the owner of pk. Uses no random bytes.
 * Returns nonzero for an invalid public key that the system detects. */
int crypto_dh(unsigned char *s, const unsigned char *pk, const unsigned char *sk);

#endif
