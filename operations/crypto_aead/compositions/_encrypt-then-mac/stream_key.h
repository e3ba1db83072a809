/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The expanded keys of an authenticator, whose mac_key is defined before, and of a crypto_stream. */
#ifndef STREAM_KEY_H
#define STREAM_KEY_H

#include "crypto_stream.h"

#define CIPHER_KEYBYTES crypto_stream_KEYBYTES

typedef struct {
    mac_key mac;
    crypto_stream_key cipher;
} crypto_aead_key;

#endif
