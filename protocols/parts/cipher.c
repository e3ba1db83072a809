/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A primitive of crypto_cipher (a mode over a block cipher) as a part of a rung. */
#include "crypto_cipher.h"
#include "protocol.h"

static int expandkey(void *state, const uint8_t *key)
{
    return crypto_cipher_expandkey(state, key);
}

static int encrypt(uint8_t *out, const uint8_t *in, uint64_t n, const uint8_t *iv, const void *state)
{
    return crypto_cipher_encrypt(out, in, n, iv, state);
}

static int decrypt(uint8_t *out, const uint8_t *in, uint64_t n, const uint8_t *iv, const void *state)
{
    return crypto_cipher_decrypt(out, in, n, iv, state);
}

__attribute__((visibility("default"))) const struct cipher part_cipher = {
    .key_bytes = crypto_cipher_KEYBYTES,
    .iv_bytes = crypto_cipher_IVBYTES,
    .block_bytes = crypto_cipher_BLOCKBYTES,
    .state_bytes = sizeof(crypto_cipher_key),
    .expandkey = expandkey,
    .encrypt = encrypt,
    .decrypt = decrypt,
};
