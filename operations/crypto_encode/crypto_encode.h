/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_ENCODE_H
#define CRYPTO_ENCODE_H

/* crypto_encode: encoding of items into a string, with SUPERCOP's interface.
 *
 * An implementation is a folder with *.c, *.cc or *.S that define the function below and nothing
 * else global. Pointers may have any alignment; buffers do not overlap unless stated otherwise;
 * lengths are in bytes; inputs are not modified. Functions return 0 on success. No mutable
 * globals; no heap in our own implementations.
 *
 * crypto_encode_ITEMS items of crypto_encode_ITEMBYTES bytes each, in the machine's byte order and
 * naturally aligned, become crypto_encode_STRBYTES bytes. The primitive defines which items are
 * allowed. */

#if __has_include("crypto_encode_types.h")
#include "crypto_encode_types.h"
#endif

/* s[0 .. STRBYTES - 1] = the code of v[0 .. ITEMS - 1]. */
void crypto_encode(unsigned char *s, const void *v);

#endif
