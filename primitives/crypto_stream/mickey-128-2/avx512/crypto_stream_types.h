/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint8_t key[16];
} crypto_stream_key;

/* Windows on the registers, see _mickey/halves.h */
typedef struct {
    _Alignas(32) uint64_t r[4], s[4];
} crypto_stream_state;
