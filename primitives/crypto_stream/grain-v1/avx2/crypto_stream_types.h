/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint8_t key[10];
} crypto_stream_key;

/* Overlapping windows of the registers, see grain_v1.c: bits 0..63 and 32..79 of
 * the nonlinear one, then of the linear one. */
typedef struct {
    _Alignas(16) uint64_t from0[2], from32[2];
} crypto_stream_state;
