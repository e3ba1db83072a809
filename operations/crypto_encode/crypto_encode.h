/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_ENCODE_H
#define CRYPTO_ENCODE_H

/* crypto_encode: items into a string, with SUPERCOP's interface.
 *
 * An implementation is a folder with *.c, *.cc or *.S that defines the function
 * below and nothing else global.  All pointers have any alignment and do not
 * overlap unless said otherwise; lengths are in bytes; inputs are not changed.
 * 0 is success.  No globals that change; no heap in our own implementations.
 *
 * crypto_encode_ITEMS items of crypto_encode_ITEMBYTES bytes each, in the
 * machine's byte order and aligned as such, become crypto_encode_STRBYTES bytes.
 * Which items are allowed is the primitive's definition. */

#if __has_include("crypto_encode_types.h")
#include "crypto_encode_types.h"
#endif

/* s[0 .. STRBYTES - 1] = the code of v[0 .. ITEMS - 1]. */
void crypto_encode(unsigned char *s, const void *v);

#endif
