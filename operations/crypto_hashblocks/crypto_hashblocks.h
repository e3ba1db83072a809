/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_HASHBLOCKS_H
#define CRYPTO_HASHBLOCKS_H

/* crypto_hashblocks: the iteration inside a hash function, without padding, with SUPERCOP's
 * interface.
 *
 * An implementation is a folder with *.c, *.cc or *.S that define the function below and nothing
 * else global. Pointers may have any alignment; buffers do not overlap unless stated otherwise;
 * lengths are in bytes; inputs are not modified. Functions return 0 on success. No mutable
 * globals; no heap in our own implementations.
 *
 * crypto_hashblocks_STATEBYTES and crypto_hashblocks_BLOCKBYTES come from primitive.toml; the
 * bytes of the state are in the order of the hash function's output. */

#if __has_include("crypto_hashblocks_types.h")
#include "crypto_hashblocks_types.h"
#endif

/* Processes every whole block of in[0 .. inlen - 1]. Returns the number of remaining bytes, inlen
 * mod BLOCKBYTES, as in SUPERCOP. */
int crypto_hashblocks(unsigned char *state, const unsigned char *in, unsigned long long inlen);

#endif
