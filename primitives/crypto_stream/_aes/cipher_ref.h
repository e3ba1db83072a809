/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef AES_CIPHER_REF_H
#define AES_CIPHER_REF_H

/* AES of one key length: AES_ROUNDS is Nr, 10 for AES-128, 14 for AES-256. */

#include "cipher_any.h"

#define AES_KEY_WORDS (AES_ROUNDS - 6)             /* Nk */
#define AES_ROUNDKEY_BYTES (16 * (AES_ROUNDS + 1)) /* 176 or 240 */

static inline void aes_expandkey(uint8_t *w, const uint8_t *key)
{
    (void)aes_expandkey_any(w, key, AES_KEY_WORDS);
}

/* out == in is allowed. */
static inline void aes_encrypt(uint8_t *out, const uint8_t *in, const uint8_t *w)
{
    aes_encrypt_any(out, in, w, AES_ROUNDS);
}

#endif
