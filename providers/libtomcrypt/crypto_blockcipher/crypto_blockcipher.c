/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libtomcrypt's block ciphers, by their descriptors, block by block. */
#include "crypto_blockcipher.h"

#define BLOCK crypto_blockcipher_BLOCKBYTES

int crypto_blockcipher_expandkey(crypto_blockcipher_key *expanded, const uint8_t *key, uint64_t key_bytes)
{
    if (key_bytes > crypto_blockcipher_LONGESTKEYBYTES) return -1;
    return PROVIDER_CIPHER.setup(key, (int)key_bytes, 0, &expanded->scheduled) == CRYPT_OK ? 0 : -1;
}

void crypto_blockcipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
    symmetric_key *key = (symmetric_key *)&expanded->scheduled; /* the library's type is not const */
    for (; blocks > 0; blocks--, out += BLOCK, in += BLOCK) PROVIDER_CIPHER.ecb_encrypt(in, out, key);
}

void crypto_blockcipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
    symmetric_key *key = (symmetric_key *)&expanded->scheduled;
    for (; blocks > 0; blocks--, out += BLOCK, in += BLOCK) PROVIDER_CIPHER.ecb_decrypt(in, out, key);
}
