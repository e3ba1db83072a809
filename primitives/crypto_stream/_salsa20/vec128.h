/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SALSA20_VEC128_H
#define SALSA20_VEC128_H

/* Salsa20 on vectors of four words, which most machines have under one
 * name or another and compilers under one: SSE2, NEON, VSX, z13;
 * see ref.h for what is offered. */

#include "words.h"

#define LANES_WORDS 4
#include "wide.h"
#undef LANES_WORDS

#define SALSA20_AHEAD 5

/* How many blocks to make at once when this many are wanted; number 0 for all
 * beyond the table.  Found by timing each pass: the first pass of the cheapest
 * sequence that gives as many. */
static const uint8_t cipher_plan[] = {
    5, 1, 2, 3, 4
};

static inline void cipher_pass(unsigned blocks, uint8_t *out, const uint8_t *in,
                               const uint32_t *key, const uint32_t *nonce,
                               cipher_counter counter)
{
    switch (blocks) {
#ifndef __AVX512VL__
    case 1: cipher_one(out, in, key, nonce, counter); break;
#else
    case 1: cipher_rows_4_1(out, in, key, nonce, counter); break;
#endif
    case 2: cipher_rows_4_2(out, in, key, nonce, counter); break;
    case 3: cipher_rows_4_3(out, in, key, nonce, counter); break;
    case 5: cipher_columns_and_one_4(out, in, key, nonce, counter); break;
    default: cipher_columns_4(out, in, key, nonce, counter);
    }
}

#include "driver.h"

#endif
