/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <stdint.h>

#define MODE_KEY_WORDS 8

typedef struct {
    uint8_t w[16 * (MODE_KEY_WORDS + 7)]; /* the AES key schedule */
    uint8_t B[16], P[16], first[3][16];
} crypto_aead_key;
