/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Guarded calls that check.c and measure.c share. */
#ifndef CRYPTO_SIGN_KEYS_H
#define CRYPTO_SIGN_KEYS_H

#include "crypto_sign.h"

#define PK crypto_sign_PUBLICKEYBYTES
#define SK crypto_sign_SECRETKEYBYTES
#define KEYPAIR crypto_sign_keypair
#ifdef crypto_sign_OWN_RANDOM
#define HIDDEN_RNG
#endif
#ifdef crypto_sign_OWN_DRAWING
#define KEYGEN_VARIES
#endif
#ifdef crypto_sign_STATEFUL
#define STATEFUL_KEY
#define SIGNING_KEY uint8_t
#else
#define SIGNING_KEY const uint8_t
#endif
#include "check_keypair.h"

#define OVERHEAD crypto_sign_BYTES

/* Signs once; a stateful sk advances. */
static inline int sign_with(uint8_t *sm, unsigned long long *smlen, const uint8_t *m, unsigned long long mlen,
                            SIGNING_KEY *sk)
{
#ifdef crypto_sign_STATEFUL
    return crypto_sign_stateful(sm, smlen, m, mlen, sk);
#else
    return crypto_sign(sm, smlen, m, mlen, sk);
#endif
}

#ifdef crypto_sign_PRECOMPUTES
static inline void release_public(crypto_sign_expanded_public *expanded)
{
#ifdef crypto_sign_RELEASES
    crypto_sign_release_public(expanded);
#else
    (void)expanded;
#endif
}

static inline void release_secret(crypto_sign_expanded_secret *expanded)
{
#ifdef crypto_sign_RELEASES
    crypto_sign_release_secret(expanded);
#else
    (void)expanded;
#endif
}
#endif

#endif
