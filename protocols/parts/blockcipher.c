/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One block of a primitive of crypto_blockcipher, for header protection. */
#include "crypto_blockcipher.h"
#include "protocol.h"

static int expandkey(void *state, const uint8_t *key)
{
    return crypto_blockcipher_expandkey(state, key, crypto_blockcipher_KEYBYTES);
}

static void encrypt(uint8_t *out, const uint8_t *in, const void *state)
{
    crypto_blockcipher_encrypt(out, in, 1, state);
}

__attribute__((visibility("default"))) const struct block part_block = {.key_bytes = crypto_blockcipher_KEYBYTES,
                                                                        .block_bytes = crypto_blockcipher_BLOCKBYTES,
                                                                        .state_bytes = sizeof(crypto_blockcipher_key),
                                                                        .expandkey = expandkey,
                                                                        .encrypt = encrypt};
