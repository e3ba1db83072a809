/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_DECODE_H
#define CRYPTO_DECODE_H

/* crypto_decode: a string into items, with SUPERCOP's interface.
 *
 * An implementation is a folder with *.c, *.cc or *.S that defines the function
 * below and nothing else global.  All pointers have any alignment and do not
 * overlap unless said otherwise; lengths are in bytes; inputs are not changed.
 * 0 is success.  No globals that change; no heap in our own implementations.
 *
 * crypto_decode_STRBYTES bytes become crypto_decode_ITEMS items of
 * crypto_decode_ITEMBYTES bytes each, in the machine's byte order and aligned as
 * such.  Every string gives some items. */

#if __has_include("crypto_decode_types.h")
#include "crypto_decode_types.h"
#endif

/* v[0 .. ITEMS - 1] = what s[0 .. STRBYTES - 1] is the code of. */
void crypto_decode(void *v, const unsigned char *s);

#endif
