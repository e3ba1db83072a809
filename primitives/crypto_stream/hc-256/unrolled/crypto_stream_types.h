/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint32_t word[8];
} crypto_stream_key;

typedef struct {
    uint32_t w[2560]; /* P is w[512..1535], Q is w[1536..2559] */
    uint8_t pad[64];
} crypto_stream_state;
