/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint8_t key[16];
} crypto_stream_key;

typedef struct {
    uint8_t s[128]; /* linear register, one bit each */
    uint8_t b[128]; /* nonlinear register */
} crypto_stream_state;
