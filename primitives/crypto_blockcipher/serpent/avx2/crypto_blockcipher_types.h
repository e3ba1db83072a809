/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    uint32_t k[33][4]; /* the subkeys, as four words of bit slices each */
} crypto_blockcipher_key;
