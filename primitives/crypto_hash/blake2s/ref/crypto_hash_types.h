/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

#define crypto_hash_INCREMENTAL 1
typedef struct {
    uint64_t length; /* bytes compressed */
    uint32_t h[8];
    unsigned held; /* bytes in `block` */
    uint8_t block[64];
} crypto_hash_state;
