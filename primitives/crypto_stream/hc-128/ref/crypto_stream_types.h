/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint32_t word[4];
} crypto_stream_key;

typedef struct {
    uint32_t p[512], q[512];
    uint32_t i; /* steps done, modulo 1024 */
} crypto_stream_state;
