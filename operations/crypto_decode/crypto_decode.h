/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_DECODE_H
#define CRYPTO_DECODE_H

/* crypto_decode: decoding of a string into items, with SUPERCOP's interface.
 *
 * An implementation is a folder with *.c, *.cc or *.S that define the function below and nothing
 * else global. Pointers may have any alignment; buffers do not overlap unless stated otherwise;
 * lengths are in bytes; inputs are not modified. Functions return 0 on success. No mutable
 * globals; no heap in our own implementations.
 *
 * crypto_decode_STRBYTES bytes become crypto_decode_ITEMS items of crypto_decode_ITEMBYTES bytes
 * each, in the machine's byte order and naturally aligned. Every string decodes to some items. */

#if __has_include("crypto_decode_types.h")
#include "crypto_decode_types.h"
#endif

/* v[0 .. ITEMS - 1] = the items that s[0 .. STRBYTES - 1] encodes. */
void crypto_decode(void *v, const unsigned char *s);

#endif
