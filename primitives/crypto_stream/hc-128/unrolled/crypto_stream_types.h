/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint32_t word[4];
} crypto_stream_key;

typedef struct {
    uint32_t w[1280]; /* P is w[256..767], Q is w[768..1279] */
    uint8_t pad[64];
} crypto_stream_state;
