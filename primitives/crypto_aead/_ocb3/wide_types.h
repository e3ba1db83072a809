/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef OCB3_WIDE_TYPES_H
#define OCB3_WIDE_TYPES_H

#include <stdint.h>

/* As many L_i as blocks of a group that has 16 of them, and longer packets, need
 * often; the rest are doubled when they are needed. */
enum { OCB3_L = 12 };

typedef struct {
    uint8_t w[16 * (OCB3_KEY_WORDS + 7)]; /* the AES key schedule */
    uint8_t v[16 * (OCB3_KEY_WORDS + 7)]; /* that of the equivalent inverse cipher */
    uint8_t L_star[16], L_dollar[16], L[OCB3_L][16];
#ifdef OCB3_GROUP
    uint8_t within[OCB3_GROUP][16]; /* offset of block i of a group, from the group's */
#endif
} crypto_aead_key;

#endif
