/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CHACHA20_POLY1305_TYPES_H
#define CHACHA20_POLY1305_TYPES_H

#include <stdint.h>

typedef struct {
    uint32_t key[8]; /* the words of the ChaCha20 key */
} crypto_aead_key;

#endif
