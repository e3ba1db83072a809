/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_SIGN_H
#define CRYPTO_SIGN_H

/* crypto_sign: public-key signatures. A signed message sm contains the message: it is signature ||
 * message in most systems, and shorter in systems with message recovery.
 *
 * An implementation is a folder with
 *
 *   *.c, *.cc, *.S        the three functions below, nothing else global
 *   crypto_sign_types.h   optional: defines the capability macros below
 *
 * From primitive.toml: crypto_sign_PUBLICKEYBYTES, crypto_sign_SECRETKEYBYTES, and
 * crypto_sign_BYTES, the maximum number of bytes by which a signed message is longer than its
 * message. Pointers may have any alignment, lengths are in bytes, outputs and inputs do not
 * overlap. Functions return 0 on success; random bytes come from "randombytes.h" only. No heap, no
 * mutable globals (except in libraries). */

#if __has_include("crypto_sign_types.h")
#include "crypto_sign_types.h"
#endif

/* Generates a key pair. */
int crypto_sign_keypair(unsigned char *pk, unsigned char *sk);

/* Signs. `sm` has room for mlen + crypto_sign_BYTES; the bytes beyond *smlen may be written. */
int crypto_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m, unsigned long long mlen,
                const unsigned char *sk);

/* Verifies and returns the message. `m` has room for smlen bytes, all of which may be written.
 * Returns nonzero unless sm, of whatever length, is exactly what the holder of the secret key may
 * have signed; the caller then ignores m and *mlen. */
int crypto_sign_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm, unsigned long long smlen,
                     const unsigned char *pk);

/* ---- capability macros, each to be defined as 1 ---------------------------
 *
 * crypto_sign_OWN_RANDOM    its random bytes do not come from randombytes() (libraries): nothing is reproducible
 *                           or counted
 * crypto_sign_OWN_DRAWING   it derives keys or signatures from the bytes of randombytes() in its own way
 *                           (libraries): results of two implementations are not compared
 * crypto_sign_STATEFUL      the secret key changes with every signature
 * crypto_sign_BATCH         it verifies many signatures at once
 * crypto_sign_PRECOMPUTES   a key can be expanded once and used many times
 * crypto_sign_RELEASES      expanded keys own heap memory (libraries) */

#ifdef crypto_sign_STATEFUL
/* Defined instead of crypto_sign. Takes one state from sk and writes the updated secret key to sk
 * BEFORE the first byte of sm is written, so that a caller who keeps sk in permanent storage and
 * crashes at any moment never signs twice with one state. Returns nonzero and leaves sk unchanged
 * if no state is left. */
int crypto_sign_stateful(unsigned char *sm, unsigned long long *smlen, const unsigned char *m, unsigned long long mlen,
                         unsigned char *sk);
#endif

#ifdef crypto_sign_BATCH
/* result[i] = what crypto_sign_open(m[i], &mlen[i], sm[i], smlen[i], pk[i]) returns. Returns 0 if
 * all results are 0. Keys may repeat; num may be 0. */
int crypto_sign_open_batch(int *result, unsigned char *const *m, unsigned long long *mlen,
                           const unsigned char *const *sm, const unsigned long long *smlen,
                           const unsigned char *const *pk, unsigned long long num);
#endif

#ifdef crypto_sign_PRECOMPUTES
/* crypto_sign_types.h has
 *
 *   typedef struct { ... } crypto_sign_expanded_public;
 *   typedef struct { ... } crypto_sign_expanded_secret;
 *
 * An invalid public key may be rejected (nonzero). Signing and opening with expanded keys give the
 * same results as crypto_sign and crypto_sign_open. */
int crypto_sign_expand_public(crypto_sign_expanded_public *expanded, const unsigned char *pk);
int crypto_sign_expand_secret(crypto_sign_expanded_secret *expanded, const unsigned char *sk);
int crypto_sign_expanded(unsigned char *sm, unsigned long long *smlen, const unsigned char *m, unsigned long long mlen,
                         const crypto_sign_expanded_secret *expanded);
int crypto_sign_open_expanded(unsigned char *m, unsigned long long *mlen, const unsigned char *sm,
                              unsigned long long smlen, const crypto_sign_expanded_public *expanded);
#ifdef crypto_sign_RELEASES
/* Frees what expanding allocated; the expanded key is not used afterwards. */
void crypto_sign_release_public(crypto_sign_expanded_public *expanded);
void crypto_sign_release_secret(crypto_sign_expanded_secret *expanded);
#endif
#endif

#endif
