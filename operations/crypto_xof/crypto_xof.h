/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_XOF_H
#define CRYPTO_XOF_H

/* crypto_xof: a hash function with output of any length (extendable-output
 * function), with SUPERCOP's interface.
 *
 * An implementation is a folder with *.c, *.cc or *.S that defines the function
 * below and nothing else global.  All pointers have any alignment and do not
 * overlap unless said otherwise; lengths are in bytes; inputs are not changed.
 * 0 is success.  No globals that change; no heap in our own implementations.
 *
 * A longer output begins with the shorter one. */

#if __has_include("crypto_xof_types.h")
#include "crypto_xof_types.h"
#endif

/* out[0 .. outlen - 1] = the first outlen bytes of XOF(in[0 .. inlen - 1]). */
int crypto_xof(unsigned char *out, unsigned long long outlen, const unsigned char *in, unsigned long long inlen);

#endif
