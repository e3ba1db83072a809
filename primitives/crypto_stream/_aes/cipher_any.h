/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef AES_CIPHER_ANY_H
#define AES_CIPHER_ANY_H

/* AES as FIPS 197 writes it, forwards, for all key lengths: a state of 4 columns
 * of 4 bytes, in the order of the input.  w holds the 16 (rounds + 1) bytes of the
 * key schedule. */

#include <stdint.h>
#include <string.h>

#include "sbox.h"

static uint8_t aes_xtime(uint8_t x) /* section 4.2.1 */
{
    return (uint8_t)((x << 1) ^ ((x >> 7) * 0x1b));
}

/* KeyExpansion, section 5.2, for Nk = 4, 6 or 8 words of key; gives Nr. */
static int aes_expandkey_any(uint8_t *w, const uint8_t *key, int words)
{
    const int rounds = words + 6;
    uint8_t rcon = 1;
    memcpy(w, key, 4 * (size_t)words);
    for (int i = words; i < 4 * (rounds + 1); i++) {
        uint8_t t[4], u;
        memcpy(t, w + 4 * (i - 1), 4);
        if (i % words == 0) { /* RotWord, SubWord, Rcon */
            u = t[0];
            t[0] = aes_sbox[t[1]] ^ rcon;
            t[1] = aes_sbox[t[2]];
            t[2] = aes_sbox[t[3]];
            t[3] = aes_sbox[u];
            rcon = aes_xtime(rcon);
        } else if (words > 6 && i % words == 4) {
            for (int b = 0; b < 4; b++) t[b] = aes_sbox[t[b]];
        }
        for (int b = 0; b < 4; b++) w[4 * i + b] = w[4 * (i - words) + b] ^ t[b];
    }
    return rounds;
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
        for (int r = 0; r < 4; r++) t[4 * c + r] = aes_sbox[s[4 * ((c + r) % 4) + r]];
    memcpy(s, t, 16);
}

/* MixColumns: {02} a0 + {03} a1 + a2 + a3 = a0 + {02}(a0 + a1) + a0+a1+a2+a3. */
static void aes_mixcolumns(uint8_t *s)
{
    for (int c = 0; c < 4; c++, s += 4) {
        const uint8_t a0 = s[0], sum = s[0] ^ s[1] ^ s[2] ^ s[3];
        for (int r = 0; r < 4; r++) {
            const uint8_t next = r < 3 ? s[r + 1] : a0;
            s[r] ^= sum ^ aes_xtime(s[r] ^ next);
        }
    }
}

/* Cipher, section 5.1.  out == in is allowed. */
static inline void aes_encrypt_any(uint8_t *out, const uint8_t *in, const uint8_t *w, int rounds)
{
    uint8_t s[16];
    memcpy(s, in, 16);
    aes_addroundkey(s, w);
    for (int round = 1; round < rounds; round++) {
        aes_subbytes_shiftrows(s);
        aes_mixcolumns(s);
        aes_addroundkey(s, w + 16 * round);
    }
    aes_subbytes_shiftrows(s);
    aes_addroundkey(s, w + 16 * rounds);
    memcpy(out, s, 16);
}

#endif
