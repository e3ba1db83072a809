/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_VERIFY_H
#define CRYPTO_VERIFY_H

/* crypto_verify: comparison of two secret strings, with SUPERCOP's interface.
 *
 * An implementation is a folder with *.c, *.cc or *.S that define the function below and nothing
 * else global. Pointers may have any alignment; buffers do not overlap unless stated otherwise;
 * lengths are in bytes; inputs are not modified. Functions return 0 on success. No mutable
 * globals; no heap in our own implementations.
 *
 * The time does not depend on the contents of the strings. crypto_verify_BYTES comes from
 * primitive.toml. */

#if __has_include("crypto_verify_types.h")
#include "crypto_verify_types.h"
#endif

/* Returns 0 if x[0 .. BYTES - 1] and y[0 .. BYTES - 1] are equal, otherwise -1. */
int crypto_verify(const unsigned char *x, const unsigned char *y);

#endif
