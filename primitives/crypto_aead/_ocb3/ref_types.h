/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef OCB3_REF_TYPES_H
#define OCB3_REF_TYPES_H

#include <stdint.h>

typedef struct {
    uint8_t w[16 * (OCB3_KEY_WORDS + 7)]; /* the AES key schedule */
    uint8_t L_star[16];
} crypto_aead_key;

#endif
