/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* All blocks of a message are encrypted, each by itself. */
#include "crypto_blockcipher.h"

typedef crypto_blockcipher_key subject_state;

#define SUBJECT_KEYBYTES crypto_blockcipher_KEYBYTES
#define SUBJECT_NONCEBYTES 0
#define SUBJECT_BLOCKBYTES crypto_blockcipher_BLOCKBYTES
#define SUBJECT_OUTPUT(n) (n)
#define SUBJECT_TEXT 0
#define SUBJECT_FUNCTION crypto_blockcipher_encrypt
#define SUBJECT_CALL(f, out, in, n, nonce, state) (f(out, in, (n) / SUBJECT_BLOCKBYTES, state), 0)
#define SUBJECT_EXPAND(state, key) crypto_blockcipher_expandkey(state, key, SUBJECT_KEYBYTES)
#define SUBJECT_IS_BLOCKCIPHER 1
