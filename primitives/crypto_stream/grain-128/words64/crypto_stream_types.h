/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint8_t key[16];
} crypto_stream_key;

/* The linear register s and the nonlinear register b: bit i of a register is bit
 * i % 64 of word i / 64. */
typedef struct {
    uint64_t s[2], b[2];
} crypto_stream_state;
