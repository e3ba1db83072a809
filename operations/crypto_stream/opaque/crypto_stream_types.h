/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_STREAM_TYPES_H
#define CRYPTO_STREAM_TYPES_H

/* Stands for the types of an implementation where the harness is compiled: it needs no more of
 * crypto_stream_key and crypto_stream_state than size and alignment, so implementations that have both in
 * common share its objects. */

#include <stdint.h>

typedef struct {
    _Alignas(crypto_stream_key_ALIGNMENT) uint8_t bytes[crypto_stream_key_BYTES];
} crypto_stream_key;

typedef struct {
    _Alignas(crypto_stream_state_ALIGNMENT) uint8_t bytes[crypto_stream_state_BYTES];
} crypto_stream_state;

#endif
