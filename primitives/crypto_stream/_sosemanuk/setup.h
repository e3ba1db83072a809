/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SOSEMANUK_SETUP_H
#define SOSEMANUK_SETUP_H

/* Nonce set-up of SOSEMANUK: Serpent24, bitsliced on ordinary words. */

#include "key.h"

/* S-box and linear transformation of round r, and the next round's subkey */
#define SERPENT_ROUND(r, s)                                                    \
    SERPENT_S(s, uint32_t, x0, x1, x2, x3)                                     \
    x0 = rotl32(x0, 13);                                                       \
    x2 = rotl32(x2, 3);                                                        \
    x1 = rotl32(x1 ^ x0 ^ x2, 1);                                              \
    x3 = rotl32(x3 ^ x2 ^ (x0 << 3), 7);                                       \
    x0 = rotl32((x0 ^ k[(r) + 1][0]) ^ (x1 ^ x3), 5);                          \
    x2 = rotl32((x2 ^ k[(r) + 1][2] ^ (x1 << 7)) ^ x3, 22);                    \
    x1 ^= k[(r) + 1][1];                                                       \
    x3 ^= k[(r) + 1][3];

static inline void setup(crypto_stream_state *z, const uint8_t *nonce,
                         const crypto_stream_key *expanded)
{
    const uint32_t(*k)[4] = expanded->k;
    uint32_t *a = z->a;
    uint32_t x0 = load_le32(nonce) ^ k[0][0], x1 = load_le32(nonce + 4) ^ k[0][1];
    uint32_t x2 = load_le32(nonce + 8) ^ k[0][2], x3 = load_le32(nonce + 12) ^ k[0][3];
    SERPENT_ROUND(0, 0) SERPENT_ROUND(1, 1) SERPENT_ROUND(2, 2) SERPENT_ROUND(3, 3)
    SERPENT_ROUND(4, 4) SERPENT_ROUND(5, 5) SERPENT_ROUND(6, 6) SERPENT_ROUND(7, 7)
    SERPENT_ROUND(8, 0) SERPENT_ROUND(9, 1) SERPENT_ROUND(10, 2) SERPENT_ROUND(11, 3)
    a[6] = x3 ^ k[12][3], a[7] = x2 ^ rotl32(k[12][2], 22);
    a[8] = x1 ^ k[12][1], a[9] = x0 ^ rotl32(k[12][0], 5);
    SERPENT_ROUND(12, 4) SERPENT_ROUND(13, 5) SERPENT_ROUND(14, 6) SERPENT_ROUND(15, 7)
    SERPENT_ROUND(16, 0) SERPENT_ROUND(17, 1)
    a[4] = x1 ^ k[18][1], a[5] = x3 ^ k[18][3];
    z->r1 = x0 ^ rotl32(k[18][0], 5);
    z->r2 = x2 ^ rotl32(k[18][2], 22);
    SERPENT_ROUND(18, 2) SERPENT_ROUND(19, 3) SERPENT_ROUND(20, 4) SERPENT_ROUND(21, 5)
    SERPENT_ROUND(22, 6) SERPENT_ROUND(23, 7)
    a[0] = x3, a[1] = x2, a[2] = x1, a[3] = x0;
}

#endif
