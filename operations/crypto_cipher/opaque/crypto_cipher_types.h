/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_CIPHER_TYPES_H
#define CRYPTO_CIPHER_TYPES_H

/* Stands for the types of an implementation where the harness is compiled: it needs no more of
 * crypto_cipher_key than size and alignment, so implementations that have both in common share its objects. */

#include <stdint.h>

typedef struct {
    _Alignas(crypto_cipher_key_ALIGNMENT) uint8_t bytes[crypto_cipher_key_BYTES];
} crypto_cipher_key;

#endif
