/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A block cipher in counter mode, then any crypto_auth. */
#include "../_encrypt-then-mac/mac.h"
#include "../_encrypt-then-mac/counter.h"

static int apply(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *nonce, const crypto_cipher_key *key)
{
    return apply_from(0, out, in, length, nonce, key);
}

#include "../_encrypt-then-mac/seal.h"
