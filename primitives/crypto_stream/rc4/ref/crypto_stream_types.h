/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint8_t key[32];
} crypto_stream_key;

typedef struct {
    uint8_t S[256], i, j;
} crypto_stream_state;
