/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SOSEMANUK_KEY_H
#define SOSEMANUK_KEY_H

/* Key schedule of SOSEMANUK, that of Serpent24.  In the nonce's set-up each
 * round waits for the one before, so what counts is the longest path.  The
 * subkey that follows a linear transformation is XORed into its words 0 and 2
 * before their last rotations, where there is time to spare: these words are
 * kept rotated back by 5 and 22 bits. */

#include "bytes.h"
#include "serpent.h"

#define KEY_SUBSTITUTE(j, s)                                                   \
    {                                                                          \
        uint32_t *k = expanded->k[j], *v = w + 8 + 4 * (j);                    \
        uint32_t x0 = v[0], x1 = v[1], x2 = v[2], x3 = v[3];                   \
        SERPENT_S(s, uint32_t, x0, x1, x2, x3)                                 \
        k[0] = x0, k[1] = x1, k[2] = x2, k[3] = x3;                            \
    }

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    uint32_t w[108];
    for (int i = 0; i < 8; i++) w[i] = load_le32(key + 4 * i);
    for (uint32_t i = 0; i < 100; i++)
        w[i + 8] = rotl32(w[i] ^ w[i + 3] ^ w[i + 5] ^ w[i + 7] ^ 0x9E3779B9 ^ i, 11);
    for (int j = 0; j < 24; j += 8) {
        KEY_SUBSTITUTE(j, 3)
        KEY_SUBSTITUTE(j + 1, 2)
        KEY_SUBSTITUTE(j + 2, 1)
        KEY_SUBSTITUTE(j + 3, 0)
        KEY_SUBSTITUTE(j + 4, 7)
        KEY_SUBSTITUTE(j + 5, 6)
        KEY_SUBSTITUTE(j + 6, 5)
        KEY_SUBSTITUTE(j + 7, 4)
    }
    KEY_SUBSTITUTE(24, 3)
    for (int j = 1; j < 25; j++) {
        expanded->k[j][0] = rotr32(expanded->k[j][0], 5);
        expanded->k[j][2] = rotr32(expanded->k[j][2], 22);
    }
}

#endif
