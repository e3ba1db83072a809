/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint8_t key[10];
} crypto_stream_key;

/* The linear register s and the nonlinear register b in overlapping windows:
 * bits 0..63, and bits 32..79 with zeros above. */
struct windows {
    uint64_t from0, from32;
};

typedef struct {
    struct windows s, b;
} crypto_stream_state;
