/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint8_t key[10];
} crypto_stream_key;

/* See _trivium/lanes.h. */
typedef struct {
    _Alignas(32) uint64_t now[4], before[4];
} crypto_stream_state;
