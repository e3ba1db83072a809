/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint32_t km[12][4]; /* masking keys */
    uint8_t kr[12][4];  /* rotation keys */
} crypto_blockcipher_key;
