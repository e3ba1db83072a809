/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SAFERPLUS_EXPANDKEY_H
#define SAFERPLUS_EXPANDKEY_H

/* The key schedule of SAFER+: a register of the key bytes and their sum, rotated
 * byte by byte and read from one place further on for each subkey; biases added.
 * What is looked up does not depend on the key. */

#include <stdint.h>
#include <string.h>

#include "tables.h"

/* Byte i (from 1) of bias j (from 2): 45^(45^(17j+i)), or 45^(17j+i) from j = 18 on */
static uint8_t saferplus_bias(unsigned j, unsigned i)
{
    const uint8_t x = saferplus_exp[(17 * j + i) & 255];
    return j < 18 ? saferplus_exp[x] : x;
}

/* k = 2 rounds + 1 subkeys; gives the number of rounds, 0 for a length that there
 * is not. */
static int saferplus_expandkey(uint8_t k[33][16], const uint8_t *key, uint64_t key_bytes)
{
    const unsigned n = (unsigned)key_bytes + 1;
    uint8_t r[33] = {0};
    if (key_bytes != 16 && key_bytes != 24 && key_bytes != 32) return 0;
    const unsigned rounds = (unsigned)key_bytes / 2; /* 8, 12, 16 */
    for (unsigned i = 0; i + 1 < n; i++) {
        r[i] = key[i];
        r[n - 1] ^= key[i];
    }
    memcpy(k[0], r, 16);
    for (unsigned j = 2; j <= 2 * rounds + 1; j++) {
        for (unsigned i = 0; i < n; i++) r[i] = (uint8_t)(r[i] << 3 | r[i] >> 5);
        for (unsigned i = 0; i < 16; i++)
            k[j - 1][i] = (uint8_t)(r[(j - 1 + i) % n] + saferplus_bias(j, i + 1));
    }
    return (int)rounds;
}

#endif
