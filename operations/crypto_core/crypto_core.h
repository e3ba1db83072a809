/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_CORE_H
#define CRYPTO_CORE_H

/* crypto_core: a function of fixed sizes inside a cipher or a hash (the Salsa20 core, HSalsa20, a
 * permutation), with SUPERCOP's interface.
 *
 * An implementation is a folder with *.c, *.cc or *.S that define the function below and nothing
 * else global. Pointers may have any alignment; buffers do not overlap unless stated otherwise;
 * lengths are in bytes; inputs are not modified. Functions return 0 on success. No mutable
 * globals; no heap in our own implementations.
 *
 * crypto_core_OUTPUTBYTES, crypto_core_INPUTBYTES, crypto_core_KEYBYTES and crypto_core_CONSTBYTES
 * come from primitive.toml; any of the last three may be 0, and then that pointer is not read. */

#if __has_include("crypto_core_types.h")
#include "crypto_core_types.h"
#endif

/* out[0 .. OUTPUTBYTES - 1] = F(in, k, c). */
int crypto_core(unsigned char *out, const unsigned char *in, const unsigned char *k, const unsigned char *c);

#endif
