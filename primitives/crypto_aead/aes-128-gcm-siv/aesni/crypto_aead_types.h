/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

#define MODE_KEY_WORDS 4

typedef struct {
    uint8_t w[16 * (MODE_KEY_WORDS + 7)]; /* the AES key schedule */
} crypto_aead_key;
