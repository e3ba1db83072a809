/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint8_t key[16];
} crypto_stream_key;

/* Bits 0..63 and 64..127 of the nonlinear register, then of the linear one. */
typedef struct {
    _Alignas(16) uint64_t from0[2], from64[2];
} crypto_stream_state;
