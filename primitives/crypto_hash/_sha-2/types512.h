/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

#define crypto_hash_INCREMENTAL 1
typedef struct {
    uint64_t length, h[8];
    uint8_t block[128];
} crypto_hash_state;
