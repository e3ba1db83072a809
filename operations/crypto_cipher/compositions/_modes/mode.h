/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the modes have in common. */
#include "crypto_cipher.h"

#include "bytes.h"

#define BLOCK crypto_blockcipher_BLOCKBYTES
#define TOGETHER 32 /* blocks that the block cipher gets in one call where the mode lets it */

int crypto_cipher_expandkey(crypto_cipher_key *expanded, const uint8_t *key)
{
    return crypto_blockcipher_expandkey(&expanded->k, key, crypto_cipher_KEYBYTES);
}

#ifdef crypto_cipher_RELEASES
void crypto_cipher_release(crypto_cipher_key *expanded)
{
    crypto_blockcipher_release(&expanded->k);
}
#endif
