/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint8_t key[16];
} crypto_stream_key;

typedef struct {
    uint8_t r[160]; /* one bit each */
    uint8_t s[160];
} crypto_stream_state;
