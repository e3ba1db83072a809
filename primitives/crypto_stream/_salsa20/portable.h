/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SALSA20_PORTABLE_H
#define SALSA20_PORTABLE_H

/* Salsa20 block by block in 32-bit words that stay in registers, as far as
 * there are any, and go straight into the message; see ref.h for what is
 * offered. */

#include "words.h"

#define SALSA20_AHEAD 1

static const uint8_t cipher_plan[] = {1};

static inline void cipher_pass(unsigned blocks, uint8_t *out, const uint8_t *in,
                               const uint32_t *key, const uint32_t *nonce,
                               cipher_counter counter)
{
    (void)blocks;
    cipher_one(out, in, key, nonce, counter);
}

#include "driver.h"

#endif
