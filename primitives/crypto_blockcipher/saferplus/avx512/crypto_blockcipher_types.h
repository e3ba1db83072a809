/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

/* Each subkey as what is added and what is xored: zero where it is the other. */
typedef struct {
    uint8_t add[33][16], mix[33][16];
    int rounds;
} crypto_blockcipher_key;
