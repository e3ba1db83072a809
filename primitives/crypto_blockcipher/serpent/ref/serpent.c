/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Serpent to be read beside its submission paper: four words of which bit i makes
 * nibble i, so that no initial and final permutation are needed (section 3);
 * S-boxes by table. */
#include "crypto_blockcipher.h"

#include "bytes.h"

/* Appendix A.5 */
static const uint8_t serpent_sbox[8][16] = {
    {3, 8, 15, 1, 10, 6, 5, 11, 14, 13, 4, 2, 7, 0, 9, 12},
    {15, 12, 2, 7, 9, 0, 5, 10, 1, 11, 14, 8, 6, 13, 3, 4},
    {8, 6, 7, 9, 3, 12, 10, 15, 13, 1, 14, 4, 0, 11, 5, 2},
    {0, 15, 11, 8, 12, 9, 6, 3, 13, 1, 2, 4, 10, 7, 5, 14},
    {1, 15, 8, 3, 12, 0, 11, 6, 2, 5, 4, 10, 9, 14, 7, 13},
    {15, 5, 2, 11, 4, 10, 9, 12, 0, 3, 14, 8, 13, 6, 7, 1},
    {7, 2, 12, 5, 8, 4, 6, 11, 14, 9, 1, 15, 13, 3, 10, 0},
    {1, 13, 15, 0, 14, 8, 2, 11, 7, 4, 12, 10, 9, 3, 5, 6},
};

static void serpent_map(uint32_t x[4], const uint8_t table[16])
{
    uint32_t y[4] = {0};
    for (int i = 0; i < 32; i++) {
        unsigned nibble = 0;
        for (int b = 0; b < 4; b++) nibble |= (x[b] >> i & 1) << b;
        for (int b = 0; b < 4; b++) y[b] |= (uint32_t)(table[nibble] >> b & 1) << i;
    }
    memcpy(x, y, 16);
}

static inline void serpent_substitute(uint32_t x[4], int box)
{
    serpent_map(x, serpent_sbox[box]);
}

static void serpent_substitute_back(uint32_t x[4], int box)
{
    uint8_t inverse[16];
    for (uint8_t i = 0; i < 16; i++) inverse[serpent_sbox[box][i]] = i;
    serpent_map(x, inverse);
}

static void serpent_mix(uint32_t x[4])
{
    x[0] = rotl32(x[0], 13);
    x[2] = rotl32(x[2], 3);
    x[1] = rotl32(x[1] ^ x[0] ^ x[2], 1);
    x[3] = rotl32(x[3] ^ x[2] ^ x[0] << 3, 7);
    x[0] = rotl32(x[0] ^ x[1] ^ x[3], 5);
    x[2] = rotl32(x[2] ^ x[3] ^ x[1] << 7, 22);
}

static void serpent_mix_back(uint32_t x[4])
{
    x[2] = rotr32(x[2], 22) ^ x[3] ^ x[1] << 7;
    x[0] = rotr32(x[0], 5) ^ x[1] ^ x[3];
    x[3] = rotr32(x[3], 7) ^ x[2] ^ x[0] << 3;
    x[1] = rotr32(x[1], 1) ^ x[0] ^ x[2];
    x[2] = rotr32(x[2], 3);
    x[0] = rotr32(x[0], 13);
}

static void serpent_add(uint32_t x[4], const uint32_t k[4])
{
    for (int i = 0; i < 4; i++) x[i] ^= k[i];
}

#include "../../_serpent/expandkey.h"

int crypto_blockcipher_expandkey(crypto_blockcipher_key *expanded, const uint8_t *key, uint64_t key_bytes)
{
    return serpent_expandkey(expanded->k, key, key_bytes);
}

void crypto_blockcipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        uint32_t x[4];
        for (int i = 0; i < 4; i++) x[i] = load_le32(in + 4 * i);
        for (int round = 0; round < 32; round++) {
            serpent_add(x, expanded->k[round]);
            serpent_substitute(x, round % 8);
            if (round < 31) serpent_mix(x);
        }
        serpent_add(x, expanded->k[32]);
        for (int i = 0; i < 4; i++) store_le32(out + 4 * i, x[i]);
    }
}

void crypto_blockcipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        uint32_t x[4];
        for (int i = 0; i < 4; i++) x[i] = load_le32(in + 4 * i);
        serpent_add(x, expanded->k[32]);
        for (int round = 31; round >= 0; round--) {
            if (round < 31) serpent_mix_back(x);
            serpent_substitute_back(x, round % 8);
            serpent_add(x, expanded->k[round]);
        }
        for (int i = 0; i < 4; i++) store_le32(out + 4 * i, x[i]);
    }
}
