/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CHACHA20_AVX2_H
#define CHACHA20_AVX2_H

/* ChaCha20 on vectors of eight words; one block goes another way;
 * see ref.h for what is offered. */

#include "words.h"

#define LANES_WORDS 4
#include "wide.h"
#undef LANES_WORDS
#define LANES_WORDS 8
#include "wide.h"
#undef LANES_WORDS

#define CHACHA20_AHEAD 9

/* How many blocks to make at once when this many are wanted; number 0 for all
 * beyond the table.  Found by timing each pass: the first pass of the cheapest
 * sequence that gives as many. */
static const uint8_t cipher_plan[] = {
    9, 1, 2, 4, 4, 6, 6, 8, 8, 9, 8, 9, 8, 9, 8, 9, 8, 9, 9, 9, 9, 9, 9, 9,
    8, 9, 9, 9, 9, 9, 9, 9, 8
};

static inline void cipher_pass(unsigned blocks, uint8_t *out, const uint8_t *in,
                               const uint32_t *key, const uint32_t *nonce,
                               cipher_counter counter)
{
    switch (blocks) {
    case 1: cipher_rows_4_1(out, in, key, nonce, counter); break;
    case 2: cipher_rows_8_1(out, in, key, nonce, counter); break;
    case 4: cipher_rows_8_2(out, in, key, nonce, counter); break;
    case 6: cipher_rows_8_3(out, in, key, nonce, counter); break;
    case 9: cipher_columns_and_one_8(out, in, key, nonce, counter); break;
    default: cipher_columns_8(out, in, key, nonce, counter);
    }
}

#include "driver.h"

#endif
