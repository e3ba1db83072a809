/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SALSA20_WORDS_H
#define SALSA20_WORDS_H

/* Salsa20 in 32-bit words, for the passes: one.h, and columns.h and rows.h of
 * ../_salsa_chacha.
 *
 * The words of the key stand in the order in which the diagonals of wide.h want
 * them: 3 6 7 2 and 5 0 1 4, so that diagonals 1, 2, 3
 *     (4 9 14 3) = k3 counter1 k7 k2
 *     (8 13 2 7) = counter0 k6 k1 nonce1
 *     (12 1 6 11) = k5 k0 nonce0 k4
 * come out of these and of (counter0 counter1 nonce0 nonce1) with no word moved
 * to another column. */

#include "../_salsa_chacha/lanes.h"
#include "cipher.h"

#define CIPHER_ROUNDS SALSA20_ROUNDS
#define CIPHER_INPUT(PUT)                                                      \
    PUT(0, 0x61707865)                                                         \
    PUT(1, key[5])                                                             \
    PUT(2, key[6])                                                             \
    PUT(3, key[3])                                                             \
    PUT(4, key[0])                                                             \
    PUT(5, 0x3320646e)                                                         \
    PUT(6, nonce[0])                                                           \
    PUT(7, nonce[1])                                                           \
    PUT(10, 0x79622d32)                                                        \
    PUT(11, key[7])                                                            \
    PUT(12, key[4])                                                            \
    PUT(13, key[1])                                                            \
    PUT(14, key[2])                                                            \
    PUT(15, 0x6b206574)
#define CIPHER_INPUT_COUNTER(PUT, low, high) PUT(8, low) PUT(9, high)
#define CIPHER_DOUBLE_ROUND(QUARTER)                                           \
    QUARTER(0, 4, 8, 12)                                                       \
    QUARTER(5, 9, 13, 1)                                                       \
    QUARTER(10, 14, 2, 6)                                                      \
    QUARTER(15, 3, 7, 11)                                                      \
    QUARTER(0, 1, 2, 3)                                                        \
    QUARTER(5, 6, 7, 4)                                                        \
    QUARTER(10, 11, 8, 9)                                                      \
    QUARTER(15, 12, 13, 14)

LANES_INLINE void cipher_quarter(uint32_t *a, uint32_t *b, uint32_t *c,
                                 uint32_t *d)
{
    *b ^= rotl32(*a + *d, 7);
    *c ^= rotl32(*b + *a, 9);
    *d ^= rotl32(*c + *b, 13);
    *a ^= rotl32(*d + *c, 18);
    LANES_SCALARS(*a, *b, *c, *d);
}

#include "one.h"
#ifndef __AVX512VL__
#define cipher_single cipher_one
#else
#define cipher_single cipher_rows_4_1
#endif
#define salsa20_apply lanes_apply

static inline void salsa20_expandkey(uint32_t key[8], const uint8_t bytes[32])
{
    static const uint8_t order[8] = {3, 6, 7, 2, 5, 0, 1, 4};

    for (int i = 0; i < 8; i++) key[i] = load_le32(bytes + 4 * order[i]);
}

#endif
