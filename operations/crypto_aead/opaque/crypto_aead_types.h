/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_AEAD_TYPES_H
#define CRYPTO_AEAD_TYPES_H

/* Stands for the types of an implementation where the harness is compiled: it needs no more of
 * crypto_aead_key than size and alignment, so implementations that have both in common share its objects. */

#include <stdint.h>

typedef struct {
    _Alignas(crypto_aead_key_ALIGNMENT) uint8_t bytes[crypto_aead_key_BYTES];
} crypto_aead_key;

#endif
