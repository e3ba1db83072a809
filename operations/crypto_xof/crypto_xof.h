/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_XOF_H
#define CRYPTO_XOF_H

/* crypto_xof: a hash function with output of any length (extendable-output function), with
 * SUPERCOP's interface.
 *
 * An implementation is a folder with *.c, *.cc or *.S that define the function below and nothing
 * else global. Pointers may have any alignment; buffers do not overlap unless stated otherwise;
 * lengths are in bytes; inputs are not modified. Functions return 0 on success. No mutable
 * globals; no heap in our own implementations.
 *
 * A shorter output is a prefix of a longer one. */

#if __has_include("crypto_xof_types.h")
#include "crypto_xof_types.h"
#endif

/* out[0 .. outlen - 1] = the first outlen bytes of XOF(in[0 .. inlen - 1]). */
int crypto_xof(unsigned char *out, unsigned long long outlen, const unsigned char *in, unsigned long long inlen);

#endif
