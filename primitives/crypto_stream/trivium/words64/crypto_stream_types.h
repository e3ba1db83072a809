/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint8_t key[10];
} crypto_stream_key;

/* The last 128 bits that entered each register: a[0] the last 64, a[1] the 64
 * before; the newest bit is the most significant. */
typedef struct {
    uint64_t a[2], b[2], c[2];
} crypto_stream_state;
