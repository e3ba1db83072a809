/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_BLOCKCIPHER_H
#define CRYPTO_BLOCKCIPHER_H

/* crypto_blockcipher: a permutation of blocks under a key.
 *
 * An implementation is a folder with
 *
 *   crypto_blockcipher_types.h   typedef struct { ... } crypto_blockcipher_key;
 *   *.c, *.cc, *.S               the functions below, nothing else global
 *
 * sizeof(crypto_blockcipher_key) is a reported figure: what is kept for each
 * active key.  Alignment beyond the natural one is asked for with _Alignas in
 * the type.
 *
 * From primitive.toml: crypto_blockcipher_BLOCKBYTES; crypto_blockcipher_KEYBYTES,
 * the key length that is measured by default; crypto_blockcipher_LONGESTKEYBYTES,
 * the longest key length of the cipher.  Both are accepted; others in between
 * (and shorter ones) as the cipher's definition says.  All pointers have any
 * alignment.  No globals that change; no heap in our own implementations. */

#include <stdint.h>

#include "crypto_blockcipher_types.h"

/* Expands a key of that many bytes, for both directions.  0, or -1 for a
 * length that the cipher does not have (or a library refuses).  Fills every
 * byte of *expanded that is read later; reads nothing of it. */
int crypto_blockcipher_expandkey(crypto_blockcipher_key *expanded, const uint8_t *key, uint64_t key_bytes);

/* Each of `blocks` blocks by itself (ECB): what a mode hands over in one call
 * may be done side by side.  out == in is allowed; any other overlap is not. */
void crypto_blockcipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded);
void crypto_blockcipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded);

/* Gives back what expandkey took (a library's context on the heap).  Only an
 * implementation that takes something defines it, and says
 * #define crypto_blockcipher_RELEASES 1 in its crypto_blockcipher_types.h. */
void crypto_blockcipher_release(crypto_blockcipher_key *expanded);

#endif
