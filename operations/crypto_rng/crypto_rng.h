/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_RNG_H
#define CRYPTO_RNG_H

/* crypto_rng: a random-number generator with fast key erasure, with SUPERCOP's interface.
 *
 * An implementation is a folder with *.c, *.cc or *.S that define the function below and nothing
 * else global. Pointers may have any alignment; buffers do not overlap unless stated otherwise;
 * lengths are in bytes; inputs are not modified. Functions return 0 on success. No mutable
 * globals; no heap in our own implementations.
 *
 * crypto_rng_KEYBYTES and crypto_rng_OUTPUTBYTES come from primitive.toml. */

#if __has_include("crypto_rng_types.h")
#include "crypto_rng_types.h"
#endif

/* r[0 .. OUTPUTBYTES - 1] = output and n[0 .. KEYBYTES - 1] = the next key, both from the key g[0
 * .. KEYBYTES - 1]. n may equal g, which erases the old key. */
int crypto_rng(unsigned char *r, unsigned char *n, const unsigned char *g);

#endif
