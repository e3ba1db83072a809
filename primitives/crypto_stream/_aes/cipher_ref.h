/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef AES_CIPHER_REF_H
#define AES_CIPHER_REF_H

/* AES as FIPS 197 writes it: a state of 4 columns of 4 bytes, in the order of
 * the input.  AES_ROUNDS is Nr: 10 for AES-128, 14 for AES-256. */

#include <stdint.h>
#include <string.h>

#include "sbox.h"

#define AES_KEY_WORDS (AES_ROUNDS - 6)             /* Nk */
#define AES_ROUNDKEY_BYTES (16 * (AES_ROUNDS + 1)) /* 176 or 240 */

static uint8_t aes_xtime(uint8_t x) /* section 4.2.1 */
{
    return (uint8_t)((x << 1) ^ ((x >> 7) * 0x1b));
}

/* KeyExpansion, section 5.2. */
static void aes_expandkey(uint8_t *w, const uint8_t *key)
{
    uint8_t rcon = 1;
    memcpy(w, key, 4 * AES_KEY_WORDS);
    for (int i = AES_KEY_WORDS; i < 4 * (AES_ROUNDS + 1); i++) {
        uint8_t t[4], u;
        memcpy(t, w + 4 * (i - 1), 4);
        if (i % AES_KEY_WORDS == 0) { /* RotWord, SubWord, Rcon */
            u = t[0];
            t[0] = aes_sbox[t[1]] ^ rcon;
            t[1] = aes_sbox[t[2]];
            t[2] = aes_sbox[t[3]];
            t[3] = aes_sbox[u];
            rcon = aes_xtime(rcon);
        } else if (AES_KEY_WORDS > 6 && i % AES_KEY_WORDS == 4) {
            for (int b = 0; b < 4; b++) t[b] = aes_sbox[t[b]];
        }
        for (int b = 0; b < 4; b++)
            w[4 * i + b] = w[4 * (i - AES_KEY_WORDS) + b] ^ t[b];
    }
}

static void aes_addroundkey(uint8_t *s, const uint8_t *w)
{
    for (int i = 0; i < 16; i++) s[i] ^= w[i];
}

/* SubBytes, ShiftRows: row r moves r columns to the left. */
static void aes_subbytes_shiftrows(uint8_t *s)
{
    uint8_t t[16];
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++)
            t[4 * c + r] = aes_sbox[s[4 * ((c + r) % 4) + r]];
    memcpy(s, t, 16);
}

/* MixColumns: {02} a0 + {03} a1 + a2 + a3 = a0 + {02}(a0 + a1) + a0+a1+a2+a3. */
static void aes_mixcolumns(uint8_t *s)
{
    for (int c = 0; c < 4; c++, s += 4) {
        uint8_t a0 = s[0], sum = s[0] ^ s[1] ^ s[2] ^ s[3];
        for (int r = 0; r < 4; r++) {
            uint8_t next = r < 3 ? s[r + 1] : a0;
            s[r] ^= sum ^ aes_xtime(s[r] ^ next);
        }
    }
}

/* Cipher, section 5.1.  out == in is allowed. */
static inline void aes_encrypt(uint8_t *out, const uint8_t *in, const uint8_t *w)
{
    uint8_t s[16];
    memcpy(s, in, 16);
    aes_addroundkey(s, w);
    for (int round = 1; round < AES_ROUNDS; round++) {
        aes_subbytes_shiftrows(s);
        aes_mixcolumns(s);
        aes_addroundkey(s, w + 16 * round);
    }
    aes_subbytes_shiftrows(s);
    aes_addroundkey(s, w + 16 * AES_ROUNDS);
    memcpy(out, s, 16);
}

#endif
