/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_AEAD_TYPES_H
#define CRYPTO_AEAD_TYPES_H

#include "crypto_onetimeauth.h"
#include "crypto_stream.h"

/* The authenticator's key is new in each packet. */
typedef struct {
    crypto_stream_key cipher;
} crypto_aead_key;

#endif
