/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SERPENT_EXPANDKEY_H
#define SERPENT_EXPANDKEY_H

/* The key schedule of Serpent (section 2.3 of the submission): a short key is
 * continued by a one bit and zeros; an affine recurrence gives 132 words, four
 * and four of which go through S-box 3, 2, 1, 0, 7, ...  On a function
 *
 *   static inline void serpent_substitute(uint32_t x[4], int box); */

#include "crypto_blockcipher.h"

#include "bytes.h"

static int serpent_expandkey(uint32_t k[33][4], const uint8_t *key, uint64_t key_bytes)
{
    uint8_t padded[32] = {0};
    uint32_t w[8 + 132];
    if (key_bytes != 16 && key_bytes != 24 && key_bytes != 32) return -1;
    memcpy(padded, key, key_bytes);
    if (key_bytes < 32) padded[key_bytes] = 1;
    for (int i = 0; i < 8; i++) w[i] = load_le32(padded + 4 * i);
    for (unsigned i = 8; i < 140; i++) /* phi, the fraction of the golden ratio */
        w[i] = rotl32(w[i - 8] ^ w[i - 5] ^ w[i - 3] ^ w[i - 1] ^ 0x9e3779b9 ^ (i - 8), 11);
    for (int i = 0; i < 33; i++) {
        memcpy(k[i], w + 8 + 4 * i, 16);
        serpent_substitute(k[i], (35 - i) % 8);
    }
    return 0;
}

#endif
