/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ASCON_TYPES_H
#define ASCON_TYPES_H

#include <stdint.h>

typedef struct {
    uint64_t k[2]; /* the words of the key */
} crypto_aead_key;

#endif
