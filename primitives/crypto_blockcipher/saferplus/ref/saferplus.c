/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* SAFER+ to be read beside its description, byte by byte. */
#include "crypto_blockcipher.h"

#include "../../_saferplus/expandkey.h"

int crypto_blockcipher_expandkey(crypto_blockcipher_key *expanded, const uint8_t *key, uint64_t key_bytes)
{
    expanded->rounds = saferplus_expandkey(expanded->k, key, key_bytes);
    return expanded->rounds ? 0 : -1;
}

/* Bytes 1, 4, 5, 8, 9, 12, 13, 16 of a block: xor first, exponentials */
static int saferplus_in_a(int i)
{
    return i % 4 == 0 || i % 4 == 3;
}

/* Where the byte at each place comes from, before all but the first of the four
 * layers of pairs; from 0 */
static const uint8_t saferplus_from[16] = {8, 11, 12, 15, 2, 1, 6, 5, 10, 9, 14, 13, 0, 7, 4, 3};

static void saferplus_pairs(uint8_t *x)
{
    for (int i = 0; i < 16; i += 2) {
        const uint8_t a = x[i], b = x[i + 1];
        x[i] = (uint8_t)(2 * a + b);
        x[i + 1] = (uint8_t)(a + b);
    }
}

static void saferplus_pairs_back(uint8_t *x)
{
    for (int i = 0; i < 16; i += 2) {
        const uint8_t a = x[i], b = x[i + 1];
        x[i] = (uint8_t)(a - b);
        x[i + 1] = (uint8_t)(2 * b - a);
    }
}

static void saferplus_mix(uint8_t *x)
{
    uint8_t y[16];
    saferplus_pairs(x);
    for (int layer = 1; layer < 4; layer++) {
        for (int i = 0; i < 16; i++) y[i] = x[saferplus_from[i]];
        memcpy(x, y, 16);
        saferplus_pairs(x);
    }
}

static void saferplus_mix_back(uint8_t *x)
{
    uint8_t y[16];
    saferplus_pairs_back(x);
    for (int layer = 1; layer < 4; layer++) {
        for (int i = 0; i < 16; i++) y[saferplus_from[i]] = x[i];
        memcpy(x, y, 16);
        saferplus_pairs_back(x);
    }
}

static void saferplus_encrypt(uint8_t *x, const crypto_blockcipher_key *k)
{
    const uint8_t(*key)[16] = k->k;
    for (int round = 0; round < k->rounds; round++, key += 2) {
        for (int i = 0; i < 16; i++)
            if (saferplus_in_a(i)) x[i] = (uint8_t)(saferplus_exp[x[i] ^ key[0][i]] + key[1][i]);
            else x[i] = saferplus_log[(uint8_t)(x[i] + key[0][i])] ^ key[1][i];
        saferplus_mix(x);
    }
    for (int i = 0; i < 16; i++)
        x[i] = (uint8_t)(saferplus_in_a(i) ? x[i] ^ key[0][i] : x[i] + key[0][i]);
}

static void saferplus_decrypt(uint8_t *x, const crypto_blockcipher_key *k)
{
    const uint8_t(*key)[16] = k->k + 2 * k->rounds;
    for (int i = 0; i < 16; i++)
        x[i] = (uint8_t)(saferplus_in_a(i) ? x[i] ^ key[0][i] : x[i] - key[0][i]);
    for (int round = 0; round < k->rounds; round++) {
        key -= 2;
        saferplus_mix_back(x);
        for (int i = 0; i < 16; i++)
            if (saferplus_in_a(i)) x[i] = saferplus_log[(uint8_t)(x[i] - key[1][i])] ^ key[0][i];
            else x[i] = (uint8_t)(saferplus_exp[x[i] ^ key[1][i]] - key[0][i]);
    }
}

void crypto_blockcipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        uint8_t x[16];
        memcpy(x, in, 16);
        saferplus_encrypt(x, expanded);
        memcpy(out, x, 16);
    }
}

void crypto_blockcipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        uint8_t x[16];
        memcpy(x, in, 16);
        saferplus_decrypt(x, expanded);
        memcpy(out, x, 16);
    }
}
