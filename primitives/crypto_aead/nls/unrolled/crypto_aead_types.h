/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_AEAD_TYPES_H
#define CRYPTO_AEAD_TYPES_H

#include <stdint.h>

typedef struct {
    uint32_t r[17]; /* the register after the key */
    uint32_t konst;
} crypto_aead_key;

#endif
