/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef AES_EXPANDKEY_WORDS_H
#define AES_EXPANDKEY_WORDS_H

/* KeyExpansion (FIPS 197, section 5.2) on 32-bit words, row 0 of a column in
 * the most significant byte. */

#include "bytes.h"
#include "sbox.h"

static uint32_t aes_subword(uint32_t x)
{
    return (uint32_t)aes_sbox[x >> 24] << 24 |
           (uint32_t)aes_sbox[(x >> 16) & 255] << 16 |
           (uint32_t)aes_sbox[(x >> 8) & 255] << 8 | aes_sbox[x & 255];
}

static const uint8_t aes_rcon[10] = {1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36};

static inline void aes128_expandkey_words(uint32_t *w, const uint8_t *key)
{
    for (int i = 0; i < 4; i++) w[i] = load_be32(key + 4 * i);
    for (int i = 0; i < 10; i++, w += 4) {
        w[4] = w[0] ^ aes_subword(rotl32(w[3], 8)) ^ (uint32_t)aes_rcon[i] << 24;
        w[5] = w[1] ^ w[4];
        w[6] = w[2] ^ w[5];
        w[7] = w[3] ^ w[6];
    }
}

static inline void aes256_expandkey_words(uint32_t *w, const uint8_t *key)
{
    for (int i = 0; i < 8; i++) w[i] = load_be32(key + 4 * i);
    for (int i = 0; i < 7; i++, w += 8) {
        w[8] = w[0] ^ aes_subword(rotl32(w[7], 8)) ^ (uint32_t)aes_rcon[i] << 24;
        w[9] = w[1] ^ w[8];
        w[10] = w[2] ^ w[9];
        w[11] = w[3] ^ w[10];
        if (i == 6) break; /* 60 words are 15 round keys */
        w[12] = w[4] ^ aes_subword(w[11]);
        w[13] = w[5] ^ w[12];
        w[14] = w[6] ^ w[13];
        w[15] = w[7] ^ w[14];
    }
}

#endif
