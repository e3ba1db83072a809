/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_AEAD_TYPES_H
#define CRYPTO_AEAD_TYPES_H

#include "../_encrypt-then-mac/nonce_mac_key.h"
#include "crypto_stream.h"

#define CIPHER_KEYBYTES crypto_stream_KEYBYTES

typedef struct {
    mac_key mac;
    crypto_stream_key cipher;
} crypto_aead_key;

#endif
