/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

typedef struct {
    int rounds;
    uint8_t w[240]; /* the key schedule */
    uint8_t v[240]; /* that of the equivalent inverse cipher */
} crypto_blockcipher_key;
