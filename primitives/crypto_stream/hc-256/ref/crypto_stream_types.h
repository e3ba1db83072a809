/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint32_t word[8];
} crypto_stream_key;

typedef struct {
    uint32_t p[1024], q[1024];
    uint32_t i; /* steps done, modulo 2048 */
} crypto_stream_state;
