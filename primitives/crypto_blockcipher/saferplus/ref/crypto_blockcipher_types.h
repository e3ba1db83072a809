/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint8_t k[33][16]; /* 2 rounds + 1 subkeys */
    int rounds;
} crypto_blockcipher_key;
