/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_CIPHER_H
#define CRYPTO_CIPHER_H

/* crypto_cipher: encryption with an initialisation vector and without
 * authentication: modes over a block cipher, such as CBC and CTR.
 *
 * An implementation is a folder with
 *
 *   crypto_cipher_types.h   typedef struct { ... } crypto_cipher_key;
 *   *.c, *.cc, *.S          the functions below, nothing else global
 *
 * or it is no code at all: a primitive.toml that names a composition and its
 * block cipher (see compositions/).
 *
 * From primitive.toml: crypto_cipher_KEYBYTES; crypto_cipher_IVBYTES (0: the mode
 * has none); crypto_cipher_BLOCKBYTES: lengths are multiples of it (1: any
 * length).  Ciphertext is as long as plaintext; padding is the caller's.  All
 * pointers have any alignment.  No globals that change; no heap in our own
 * implementations. */

#include <stdint.h>

#include "crypto_cipher_types.h"

/* Expands a key of crypto_cipher_KEYBYTES bytes.  0, or -1 when the library
 * underneath refuses. */
int crypto_cipher_expandkey(crypto_cipher_key *expanded, const uint8_t *key);

/* out[0 .. length - 1] = the encrypted (decrypted) in[0 .. length - 1].  0, or
 * -1 when the mode does not have that length.  out == in is allowed; any other
 * overlap is not. */
int crypto_cipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                          const crypto_cipher_key *expanded);
int crypto_cipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *iv,
                          const crypto_cipher_key *expanded);

/* Gives back what expandkey took (a library's context on the heap).  Only an
 * implementation that takes something defines it, and says
 * #define crypto_cipher_RELEASES 1 in its crypto_cipher_types.h. */
void crypto_cipher_release(crypto_cipher_key *expanded);

#endif
