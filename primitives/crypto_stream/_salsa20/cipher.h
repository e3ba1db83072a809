/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SALSA20_CIPHER_H
#define SALSA20_CIPHER_H

/* Salsa20's names and sizes, for the source that it shares with ChaCha20:
 * ../_salsa_chacha. */

#include <stdint.h>

#include "bytes.h"

#define CIPHER(name) salsa20_##name
#define CIPHER_AHEAD SALSA20_AHEAD /* the most that salsa20_first answers */

/* the words of the nonce, to initialise an array */
#define CIPHER_NONCE(bytes) {load_le32(bytes), load_le32((bytes) + 4)}

typedef uint64_t cipher_counter;

#endif
