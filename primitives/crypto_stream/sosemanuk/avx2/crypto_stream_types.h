/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint32_t k[25][4]; /* subkeys of Serpent24, words 0 and 2 rotated back */
} crypto_stream_key;

typedef struct {
    uint32_t a[10], r1, r2;
} crypto_stream_state;
