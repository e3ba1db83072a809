/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* crypto_sign_types.h of a library whose keys are objects on the heap. */
#define crypto_sign_PRECOMPUTES 1
#define crypto_sign_RELEASES 1
#if defined(PROVIDER_DSA) || defined(PROVIDER_EC) || defined(PROVIDER_RONALD) || defined(PROVIDER_PSS)
#define crypto_sign_OWN_DRAWING 1
#endif

/* The library's key, parsed, ready to verify or to sign. */
typedef struct {
    void *key;
} crypto_sign_expanded_public, crypto_sign_expanded_secret;
