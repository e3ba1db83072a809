/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_AEAD_TYPES_H
#define CRYPTO_AEAD_TYPES_H

#include "../_encrypt-then-mac/mac_key.h"
#include "crypto_cipher.h"

#define CIPHER_KEYBYTES crypto_cipher_KEYBYTES

typedef struct {
    mac_key mac;
    crypto_cipher_key cipher;
} crypto_aead_key;

#ifdef crypto_cipher_RELEASES
#define crypto_aead_RELEASES 1
#endif

#endif
