/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_HASHBLOCKS_H
#define CRYPTO_HASHBLOCKS_H

/* crypto_hashblocks: the iteration inside a hash function, without padding, with
 * SUPERCOP's interface.
 *
 * An implementation is a folder with *.c, *.cc or *.S that defines the function
 * below and nothing else global.  All pointers have any alignment and do not
 * overlap unless said otherwise; lengths are in bytes; inputs are not changed.
 * 0 is success.  No globals that change; no heap in our own implementations.
 *
 * crypto_hashblocks_STATEBYTES and crypto_hashblocks_BLOCKBYTES come from
 * primitive.toml; the state is bytes in the order in which the hash function
 * prints it. */

#if __has_include("crypto_hashblocks_types.h")
#include "crypto_hashblocks_types.h"
#endif

/* Takes every whole block of in[0 .. inlen - 1] into the state.  The result is
 * the number of bytes left over, inlen mod BLOCKBYTES, as in SUPERCOP. */
int crypto_hashblocks(unsigned char *state, const unsigned char *in, unsigned long long inlen);

#endif
