/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef AES_ANY_ROUNDS_H
#define AES_ANY_ROUNDS_H

/* crypto_blockcipher on
 *
 *   AES_INLINE void aes_blocks(out, in, blocks, round keys, rounds, decrypt)
 *
 * which is inlined for each of the three numbers of rounds. */

#include "crypto_blockcipher.h"

int crypto_blockcipher_expandkey(crypto_blockcipher_key *expanded, const uint8_t *key, uint64_t key_bytes)
{
    switch (key_bytes) {
    case 16:
        aes_expandkey_128(expanded->w, key);
        aes_invert_roundkeys(expanded->v, expanded->w, 10);
        break;
    case 24:
        aes_expandkey_192(expanded->w, key);
        aes_invert_roundkeys(expanded->v, expanded->w, 12);
        break;
    case 32:
        aes_expandkey_256(expanded->w, key);
        aes_invert_roundkeys(expanded->v, expanded->w, 14);
        break;
    default: return -1;
    }
    expanded->rounds = (int)key_bytes / 4 + 6;
    return 0;
}

void crypto_blockcipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
    switch (expanded->rounds) {
    case 10: aes_blocks(out, in, blocks, expanded->w, 10, 0); break;
    case 12: aes_blocks(out, in, blocks, expanded->w, 12, 0); break;
    default: aes_blocks(out, in, blocks, expanded->w, 14, 0); break;
    }
}

void crypto_blockcipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
    switch (expanded->rounds) {
    case 10: aes_blocks(out, in, blocks, expanded->v, 10, 1); break;
    case 12: aes_blocks(out, in, blocks, expanded->v, 12, 1); break;
    default: aes_blocks(out, in, blocks, expanded->v, 14, 1); break;
    }
}

#endif
