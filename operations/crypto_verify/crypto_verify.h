/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_VERIFY_H
#define CRYPTO_VERIFY_H

/* crypto_verify: comparison of two secret strings, with SUPERCOP's interface.
 *
 * An implementation is a folder with *.c, *.cc or *.S that defines the function
 * below and nothing else global.  All pointers have any alignment and do not
 * overlap unless said otherwise; lengths are in bytes; inputs are not changed.
 * 0 is success.  No globals that change; no heap in our own implementations.
 *
 * The time does not depend on the strings.  crypto_verify_BYTES comes from
 * primitive.toml. */

#if __has_include("crypto_verify_types.h")
#include "crypto_verify_types.h"
#endif

/* 0 when x[0 .. BYTES - 1] and y[0 .. BYTES - 1] are equal; otherwise -1. */
int crypto_verify(const unsigned char *x, const unsigned char *y);

#endif
