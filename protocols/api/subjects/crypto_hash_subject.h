/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A message is hashed. */
#include "crypto_hash.h"

typedef struct {
    uint8_t none;
} subject_state;

#define SUBJECT_KEYBYTES 0
#define SUBJECT_NONCEBYTES 0
#define SUBJECT_BLOCKBYTES 1
#define SUBJECT_OUTPUT(n) crypto_hash_BYTES
#define SUBJECT_FUNCTION crypto_hash
#define SUBJECT_CALL(f, out, in, n, nonce, state) f(out, in, n)
#define SUBJECT_IS_HASH 1
