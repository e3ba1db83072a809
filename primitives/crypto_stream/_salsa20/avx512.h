/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SALSA20_AVX512_H
#define SALSA20_AVX512_H

/* Salsa20 on vectors of sixteen words, with an instruction that rotates and
 * registers for all the sets; one and two blocks go through narrower ones;
 * see ref.h for what is offered. */

#include "words.h"

#define LANES_WORDS 4
#include "wide.h"
#undef LANES_WORDS
#define LANES_WORDS 8
#include "wide.h"
#undef LANES_WORDS
#define LANES_WORDS 16
#include "wide.h"
#undef LANES_WORDS

#define SALSA20_AHEAD 17

/* How many blocks to make at once when this many are wanted; number 0 for all
 * beyond the table.  Found by timing each pass: the first pass of the cheapest
 * sequence that gives as many. */
static const uint8_t cipher_plan[] = {
    17, 1, 2, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12, 16, 16, 16, 16, 17, 16, 16,
    16, 17, 16, 16, 16, 17, 16, 16, 16, 17, 16, 16, 16, 17, 17, 16, 16, 17,
    17, 16, 16, 17, 17, 16, 16, 17, 17, 16, 16
};

static inline void cipher_pass(unsigned blocks, uint8_t *out, const uint8_t *in,
                               const uint32_t *key, const uint32_t *nonce,
                               cipher_counter counter)
{
    switch (blocks) {
    case 1: cipher_rows_4_1(out, in, key, nonce, counter); break;
    case 2: cipher_rows_8_1(out, in, key, nonce, counter); break;
    case 4: cipher_rows_16_1(out, in, key, nonce, counter); break;
    case 8: cipher_rows_16_2(out, in, key, nonce, counter); break;
    case 12: cipher_rows_16_3(out, in, key, nonce, counter); break;
    case 17: cipher_columns_and_one_16(out, in, key, nonce, counter); break;
    default: cipher_columns_16(out, in, key, nonce, counter);
    }
}

#include "driver.h"

#endif
