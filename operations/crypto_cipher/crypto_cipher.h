/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_CIPHER_H
#define CRYPTO_CIPHER_H

/* crypto_cipher: encryption with an initialisation vector and without authentication: modes over a
 * block cipher, such as CBC and CTR.
 *
 * An implementation is a folder with
 *
 *   crypto_cipher_types.h   typedef struct { ... } crypto_cipher_key;
 *   *.c, *.cc, *.S          the functions below, nothing else global
 *
 * or a primitive has no code at all, and its primitive.toml names a composition and its block
 * cipher (see compositions/).
 *
 * From primitive.toml: crypto_cipher_KEYBYTES; crypto_cipher_IVBYTES (0 if the mode has none);
 * crypto_cipher_BLOCKBYTES: lengths are multiples of it (1: any length). The ciphertext is as long
 * as the plaintext; the caller pads. Pointers may have any alignment. No mutable globals; no heap
 * in our own implementations. */

#include <stdint.h>

#include "crypto_cipher_types.h"

/* Expands a key of crypto_cipher_KEYBYTES bytes. Returns 0, or -1 if the underlying library fails. */
int crypto_cipher_expandkey(crypto_cipher_key *expanded, const uint8_t *key);

/* out[0 .. length - 1] = in[0 .. length - 1] encrypted (decrypted). Returns 0, or -1 if the mode
 * does not support that length. out == in is allowed; any other overlap is not. */
int crypto_cipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                          const crypto_cipher_key *expanded);
int crypto_cipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                          const crypto_cipher_key *expanded);

/* Frees what expandkey allocated (a library's context on the heap). Only an implementation that
 * allocates defines it, and puts #define crypto_cipher_RELEASES 1 into its crypto_cipher_types.h. */
void crypto_cipher_release(crypto_cipher_key *expanded);

#endif
