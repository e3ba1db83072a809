/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint8_t key[10];
} crypto_stream_key;

typedef struct {
    uint8_t s[289]; /* one bit each: s[1] .. s[288]; s[0] is unused */
} crypto_stream_state;
