/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_SCALARMULT_H
#define CRYPTO_SCALARMULT_H

/* crypto_scalarmult: q = n p in a commutative group, with a standard base.
 *
 * An implementation is a folder with
 *
 *   *.c, *.cc, *.S   the two functions below, nothing else global
 *
 * From primitive.toml: crypto_scalarmult_BYTES (an element) and crypto_scalarmult_SCALARBYTES.
 * Every string of SCALARBYTES is a scalar. Pointers may have any alignment, outputs and inputs do
 * not overlap. Functions return 0 on success. No heap, no mutable globals (except in libraries). */

#if __has_include("crypto_scalarmult_types.h")
#include "crypto_scalarmult_types.h"
#endif

/* q = n p. Returns nonzero for an invalid p that the system detects. */
int crypto_scalarmult(unsigned char *q, const unsigned char *n, const unsigned char *p);

/* q = n times the standard base. */
int crypto_scalarmult_base(unsigned char *q, const unsigned char *n);

#endif
