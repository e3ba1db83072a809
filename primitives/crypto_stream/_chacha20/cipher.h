/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CHACHA20_CIPHER_H
#define CHACHA20_CIPHER_H

/* ChaCha20's names and sizes, for the source that it shares with Salsa20:
 * ../_salsa_chacha. */

#include <stdint.h>

#include "bytes.h"

#define CIPHER(name) chacha20_##name
#define CIPHER_AHEAD CHACHA20_AHEAD /* the most that chacha20_first answers */

/* the words of the nonce, to initialise an array */
#define CIPHER_NONCE(bytes)                                                    \
    {load_le32(bytes), load_le32((bytes) + 4), load_le32((bytes) + 8)}

typedef uint32_t cipher_counter;

static inline void chacha20_expandkey(uint32_t key[8], const uint8_t bytes[32])
{
    for (int i = 0; i < 8; i++) key[i] = load_le32(bytes + 4 * i);
}

#endif
