/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Helpers that the modes share. */
#include "crypto_cipher.h"

#include "bytes.h"

#define BLOCK crypto_blockcipher_BLOCKBYTES
#define BATCH_BLOCKS 32 /* blocks per call of the block cipher, in modes that allow it */

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
