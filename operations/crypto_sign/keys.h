/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What checking and measuring signatures share: guarded calls. */
#ifndef CRYPTO_SIGN_KEYS_H
#define CRYPTO_SIGN_KEYS_H

#include <string.h>

#include "crypto_sign.h"
#include "harness.h"

#define PK crypto_sign_PUBLICKEYBYTES
#define SK crypto_sign_SECRETKEYBYTES
#define MORE crypto_sign_BYTES

struct keys {
    uint8_t pk[PK], sk[SK];
};

/* One signature; with a stateful system sk moves on. */
static inline int sign_with(uint8_t *sm, unsigned long long *smlen, const uint8_t *m, unsigned long long mlen,
                            uint8_t *sk)
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
