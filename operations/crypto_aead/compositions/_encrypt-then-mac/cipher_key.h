/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The expanded keys of an authenticator, whose mac_key is defined before, and of a crypto_cipher. */
#ifndef CIPHER_KEY_H
#define CIPHER_KEY_H

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
