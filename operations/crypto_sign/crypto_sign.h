/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_SIGN_H
#define CRYPTO_SIGN_H

/* crypto_sign: public-key signatures.  A signed message sm carries the message:
 * signature || message for most, shorter for systems with message recovery.
 *
 * An implementation is a folder with
 *
 *   *.c, *.cc, *.S        the three functions below, nothing else global
 *   crypto_sign_types.h   optional: the capability macros below
 *
 * From primitive.toml: crypto_sign_PUBLICKEYBYTES, crypto_sign_SECRETKEYBYTES,
 * and crypto_sign_BYTES, the most that a signed message is longer than its
 * message.  Pointers have any alignment, lengths are in bytes, outputs and
 * inputs do not overlap.  0 is success; random bytes come from "randombytes.h"
 * alone.  No heap, no globals that change (libraries excepted). */

#if __has_include("crypto_sign_types.h")
#include "crypto_sign_types.h"
#endif

/* Draws a key pair. */
int crypto_sign_keypair(unsigned char *pk, unsigned char *sk);

/* Signs.  `sm` has room for mlen + crypto_sign_BYTES; the bytes beyond *smlen
 * may be written. */
int crypto_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m, unsigned long long mlen,
                const unsigned char *sk);

/* Verifies and gives the message.  `m` has room for smlen bytes, all of which
 * may be written.  Not 0 when sm, of whatever length, is not exactly what the
 * holder of the secret key may have signed: then nobody reads m and *mlen. */
int crypto_sign_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm, unsigned long long smlen,
                     const unsigned char *pk);

/* ---- capability macros, each to be defined as 1 ---------------------------
 *
 * crypto_sign_OWN_RANDOM    draws random bytes where the harness cannot see them
 *                           (libraries): nothing can be reproduced or counted
 * crypto_sign_OWN_DRAWING   makes keys or signatures of the bytes of randombytes() in a way of its own
 *                           (libraries): the results of two are not compared
 * crypto_sign_STATEFUL      the secret key changes with every signature
 * crypto_sign_BATCH         verifies many signatures at once
 * crypto_sign_PRECOMPUTES   a key can be expanded once and used many times
 * crypto_sign_RELEASES      expanded keys own memory elsewhere (libraries) */

#ifdef crypto_sign_STATEFUL
/* Given instead of crypto_sign.  Takes one state from sk and writes the secret
 * key without that state to sk BEFORE the first byte of sm is written, so that a
 * caller who keeps sk in permanent storage and dies at any moment never signs
 * twice with one state.  Not 0, and sk as it was, when the states are used up. */
int crypto_sign_stateful(unsigned char *sm, unsigned long long *smlen, const unsigned char *m,
                         unsigned long long mlen, unsigned char *sk);
#endif

#ifdef crypto_sign_BATCH
/* result[i] = what crypto_sign_open(m[i], &mlen[i], sm[i], smlen[i], pk[i]) returns, 0 or not.
 * 0 when all are 0.  Keys may repeat; num may be 0. */
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
 * A public key that is none may be refused (not 0).  Signing and opening with
 * the expanded keys gives what crypto_sign and crypto_sign_open give. */
int crypto_sign_expand_public(crypto_sign_expanded_public *expanded, const unsigned char *pk);
int crypto_sign_expand_secret(crypto_sign_expanded_secret *expanded, const unsigned char *sk);
int crypto_sign_expanded(unsigned char *sm, unsigned long long *smlen, const unsigned char *m,
                         unsigned long long mlen, const crypto_sign_expanded_secret *expanded);
int crypto_sign_open_expanded(unsigned char *m, unsigned long long *mlen, const unsigned char *sm,
                              unsigned long long smlen, const crypto_sign_expanded_public *expanded);
#ifdef crypto_sign_RELEASES
/* Gives back what expanding took; the expanded key is used no more. */
void crypto_sign_release_public(crypto_sign_expanded_public *expanded);
void crypto_sign_release_secret(crypto_sign_expanded_secret *expanded);
#endif
#endif

#endif
