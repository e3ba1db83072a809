/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the key and the blocks. Public: their number. */
#include "crypto_blockcipher.h"
#include "secret.h"

#define BLOCKS 33

void operation_secrets(void)
{
    crypto_blockcipher_key *expanded = allocate(crypto_blockcipher_key_size, 0);
    static uint8_t key[crypto_blockcipher_LONGESTKEYBYTES], text[BLOCKS * crypto_blockcipher_BLOCKBYTES];
    for (uint64_t blocks = 1; blocks <= BLOCKS; blocks *= 2) {
        secret_fill(key, sizeof key);
        secret_fill(text, sizeof text);
        if (crypto_blockcipher_expandkey(expanded, key, crypto_blockcipher_KEYBYTES))
            harness_fail(VALID_REJECTED, "rejects a valid key");
        crypto_blockcipher_encrypt(text, text, blocks, expanded);
        crypto_blockcipher_decrypt(text, text, blocks, expanded);
    }
}
