/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

/* The key schedule's first 32 steps see only the key: S and j after them, and
 * the key for the steps that see it again. */
typedef struct {
    uint8_t S[256], key[32], j;
} crypto_stream_key;

typedef struct {
    uint32_t S[256];
    uint8_t j;
} crypto_stream_state;
