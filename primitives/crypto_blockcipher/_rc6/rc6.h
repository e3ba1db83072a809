/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef RC6_H
#define RC6_H

/* RC6-32/20/b (Rivest, Robshaw, Sidney, Yin, "The RC6 block cipher", sections
 * 2.1 and 2.2): the key schedule, and one block. */

#include "crypto_blockcipher.h"

#include "bytes.h"

enum { RC6_ROUNDS = 20, RC6_WORDS = 2 * RC6_ROUNDS + 4 };

static uint32_t rc6_rotate(uint32_t x, uint32_t n)
{
    return x << (n & 31) | x >> (-n & 31);
}

static uint32_t rc6_rotate_back(uint32_t x, uint32_t n)
{
    return x >> (n & 31) | x << (-n & 31);
}

int crypto_blockcipher_expandkey(crypto_blockcipher_key *expanded, const uint8_t *key, uint64_t key_bytes)
{
    uint32_t L[8], *S = expanded->s, A = 0, B = 0;
    const unsigned c = (unsigned)key_bytes / 4;
    if (key_bytes != 16 && key_bytes != 24 && key_bytes != 32) return -1;
    for (unsigned j = 0; j < c; j++) L[j] = load_le32(key + 4 * j);
    for (uint32_t i = 0; i < RC6_WORDS; i++) S[i] = 0xb7e15163 + i * 0x9e3779b9; /* P32, Q32 */
    for (unsigned n = 0, i = 0, j = 0; n < 3 * RC6_WORDS; n++) {
        A = S[i] = rotl32(S[i] + A + B, 3);
        B = L[j] = rc6_rotate(L[j] + A + B, A + B);
        i = i + 1 < RC6_WORDS ? i + 1 : 0;
        j = j + 1 < c ? j + 1 : 0;
    }
    return 0;
}

static inline void rc6_encrypt_block(uint8_t *out, const uint8_t *in, const uint32_t *S)
{
    uint32_t A = load_le32(in), B = load_le32(in + 4) + S[0];
    uint32_t C = load_le32(in + 8), D = load_le32(in + 12) + S[1];
    for (int i = 2; i <= 2 * RC6_ROUNDS; i += 2) {
        const uint32_t t = rotl32(B * (2 * B + 1), 5), u = rotl32(D * (2 * D + 1), 5);
        const uint32_t a = rc6_rotate(A ^ t, u) + S[i], c = rc6_rotate(C ^ u, t) + S[i + 1];
        A = B;
        B = c;
        C = D;
        D = a;
    }
    store_le32(out, A + S[RC6_WORDS - 2]);
    store_le32(out + 4, B);
    store_le32(out + 8, C + S[RC6_WORDS - 1]);
    store_le32(out + 12, D);
}

static inline void rc6_decrypt_block(uint8_t *out, const uint8_t *in, const uint32_t *S)
{
    uint32_t A = load_le32(in) - S[RC6_WORDS - 2], B = load_le32(in + 4);
    uint32_t C = load_le32(in + 8) - S[RC6_WORDS - 1], D = load_le32(in + 12);
    for (int i = 2 * RC6_ROUNDS; i > 0; i -= 2) {
        const uint32_t a = D, c = B;
        D = C;
        B = A;
        const uint32_t t = rotl32(B * (2 * B + 1), 5), u = rotl32(D * (2 * D + 1), 5);
        A = rc6_rotate_back(a - S[i], u) ^ t;
        C = rc6_rotate_back(c - S[i + 1], t) ^ u;
    }
    store_le32(out, A);
    store_le32(out + 4, B - S[0]);
    store_le32(out + 8, C);
    store_le32(out + 12, D - S[1]);
}

#endif
