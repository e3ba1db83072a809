/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_AEAD_TYPES_H
#define CRYPTO_AEAD_TYPES_H

#include "crypto_cipher.h"
#include "crypto_onetimeauth.h"

/* The key is (r, k): the authenticator's key, then the cipher's. */
typedef struct {
    crypto_onetimeauth_key r;
    crypto_cipher_key k;
} crypto_aead_key;

#ifdef crypto_cipher_RELEASES
#define crypto_aead_RELEASES 1
#endif

#endif
