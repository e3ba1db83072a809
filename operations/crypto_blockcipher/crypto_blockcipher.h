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
 * sizeof(crypto_blockcipher_key) is a reported size: the memory for each active key. Use _Alignas
 * in the type for alignment beyond the natural one.
 *
 * From primitive.toml: crypto_blockcipher_BLOCKBYTES; crypto_blockcipher_KEYBYTES, the key length
 * that is measured by default; crypto_blockcipher_LONGESTKEYBYTES, the longest key length of the
 * cipher. Implementations accept both, and other lengths up to the longest as the cipher defines.
 * Pointers may have any alignment. No mutable globals; no heap in our own implementations. */

#include <stdint.h>

#include "crypto_blockcipher_types.h"

/* Expands a key of `key_bytes` bytes for both directions. Returns 0, or -1 if the cipher (or the
 * library) does not support that length. Writes every byte of *expanded that is read later, and
 * reads none of it. */
int crypto_blockcipher_expandkey(crypto_blockcipher_key *expanded, const uint8_t *key, uint64_t key_bytes);

/* Encrypts (decrypts) each of `blocks` blocks separately (ECB), so that a mode can have many
 * blocks processed in parallel. out == in is allowed; any other overlap is not. */
void crypto_blockcipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded);
void crypto_blockcipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded);

/* Frees what expandkey allocated (a library's context on the heap). Only an implementation that
 * allocates defines it, and puts #define crypto_blockcipher_RELEASES 1 into its
 * crypto_blockcipher_types.h. */
void crypto_blockcipher_release(crypto_blockcipher_key *expanded);

#endif
