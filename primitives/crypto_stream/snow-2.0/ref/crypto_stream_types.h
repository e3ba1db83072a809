/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint32_t s[16]; /* the register as the key alone loads it */
} crypto_stream_key;

typedef struct {
    uint32_t s[16], r1, r2;
} crypto_stream_state;
