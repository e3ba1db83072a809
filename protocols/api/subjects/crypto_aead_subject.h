/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A packet is encrypted, without associated data. */
#include "crypto_aead.h"

typedef crypto_aead_key subject_state;

#define SUBJECT_KEYBYTES crypto_aead_KEYBYTES
#define SUBJECT_NONCEBYTES crypto_aead_NONCEBYTES
#define SUBJECT_BLOCKBYTES 1
#define SUBJECT_OUTPUT(n) (crypto_aead_TAGBYTES + crypto_aead_PADDEDBYTES(n))
#define SUBJECT_TEXT crypto_aead_TAGBYTES
#define SUBJECT_FUNCTION crypto_aead_encrypt
#define SUBJECT_CALL(f, out, in, n, nonce, state) f(out, in, n, (const uint8_t *)"", 0, nonce, state)
#define SUBJECT_EXPAND(state, key) crypto_aead_expandkey(state, key)
#define SUBJECT_IS_AEAD 1
