/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CHACHA20_WORDS_H
#define CHACHA20_WORDS_H

/* ChaCha20 in 32-bit words, for the passes: columns.h and rows.h of
 * ../_salsa_chacha. */

#include "../_salsa_chacha/lanes.h"
#include "cipher.h"

#define CIPHER_ROUNDS 20
#define CIPHER_INPUT(PUT)                                                      \
    PUT(0, 0x61707865)                                                         \
    PUT(1, 0x3320646e)                                                         \
    PUT(2, 0x79622d32)                                                         \
    PUT(3, 0x6b206574)                                                         \
    PUT(4, key[0])                                                             \
    PUT(5, key[1])                                                             \
    PUT(6, key[2])                                                             \
    PUT(7, key[3])                                                             \
    PUT(8, key[4])                                                             \
    PUT(9, key[5])                                                             \
    PUT(10, key[6])                                                            \
    PUT(11, key[7])                                                            \
    PUT(13, nonce[0])                                                          \
    PUT(14, nonce[1])                                                          \
    PUT(15, nonce[2])
#define CIPHER_INPUT_COUNTER(PUT, low, high) PUT(12, low) (void)(high);
#define CIPHER_DOUBLE_ROUND(QUARTER)                                           \
    QUARTER(0, 4, 8, 12)                                                       \
    QUARTER(1, 5, 9, 13)                                                       \
    QUARTER(2, 6, 10, 14)                                                      \
    QUARTER(3, 7, 11, 15)                                                      \
    QUARTER(0, 5, 10, 15)                                                      \
    QUARTER(1, 6, 11, 12)                                                      \
    QUARTER(2, 7, 8, 13)                                                       \
    QUARTER(3, 4, 9, 14)

LANES_INLINE void cipher_quarter(uint32_t *a, uint32_t *b, uint32_t *c,
                                 uint32_t *d)
{
    *a += *b, *d = rotl32(*d ^ *a, 16);
    *c += *d, *b = rotl32(*b ^ *c, 12);
    *a += *b, *d = rotl32(*d ^ *a, 8);
    *c += *d, *b = rotl32(*b ^ *c, 7);
    LANES_SCALARS(*a, *b, *c, *d);
}

#define cipher_single cipher_rows_4_1
#define chacha20_apply lanes_apply

#endif
