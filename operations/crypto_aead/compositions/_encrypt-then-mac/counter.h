/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The cipher is a block cipher of 16-byte blocks in counter mode (SP 800-38A). The first block of
 * a packet is nonce || zero bytes || 32-bit big-endian counter, so different nonces never share a
 * block. */
#include <string.h>

#include "bytes.h"

#define IV crypto_cipher_IVBYTES
#define COUNTER_BYTES 4
#define MAX_TEXT ((UINT64_C(1) << 36) - 64) /* bytes: fewer than 2^32 blocks, those before the text included */

_Static_assert(IV == 16 && crypto_aead_NONCEBYTES + COUNTER_BYTES <= IV, "nonce and counter must fit into a block");

static int cipher_expandkey(crypto_cipher_key *cipher, const uint8_t *key)
{
    return crypto_cipher_expandkey(cipher, key);
}

/* Applies the keystream from its block number `first` on. */
static int apply_from(uint32_t first, uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *nonce,
                      const crypto_cipher_key *key)
{
    uint8_t iv[IV] = {0};
    if (length > MAX_TEXT) return -1;
    memcpy(iv, nonce, crypto_aead_NONCEBYTES);
    store_be32(iv + IV - COUNTER_BYTES, first);
    return crypto_cipher_encrypt(out, in, length, iv, key);
}
