/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef GENERATORS_H
#define GENERATORS_H

/* Salsa20 and ChaCha20 with 256-bit keys (D. J. Bernstein's definitions), which generate the
 * test's inputs, hash and random bytes. */

#include <stdint.h>
#include <string.h>

static inline uint32_t generator_load(const unsigned char *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline void generator_store(unsigned char *p, uint32_t x)
{
    for (int i = 0; i < 4; i++) p[i] = (unsigned char)(x >> (8 * i));
}

static inline uint32_t generator_turn(uint32_t x, int by)
{
    return x << by | x >> (32 - by);
}

static inline void generator_out(unsigned char *out, const uint32_t *x, const uint32_t *start)
{
    for (int i = 0; i < 16; i++) generator_store(out + 4 * i, x[i] + start[i]);
}

static inline void salsa_quarter(uint32_t *x, int a, int b, int c, int d)
{
    x[b] ^= generator_turn(x[a] + x[d], 7);
    x[c] ^= generator_turn(x[b] + x[a], 9);
    x[d] ^= generator_turn(x[c] + x[b], 13);
    x[a] ^= generator_turn(x[d] + x[c], 18);
}

/* Computes 64 bytes of output from 16 bytes of input. */
static inline void salsa_block(unsigned char *out, const unsigned char *in, const unsigned char *key)
{
    uint32_t start[16], x[16];
    for (int i = 0; i < 4; i++) {
        start[5 * i] = generator_load((const unsigned char *)"expand 32-byte k" + 4 * i);
        start[1 + i] = generator_load(key + 4 * i);
        start[6 + i] = generator_load(in + 4 * i);
        start[11 + i] = generator_load(key + 16 + 4 * i);
    }
    memcpy(x, start, sizeof x);
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 4; i++) /* columns */
            salsa_quarter(x, 5 * i % 16, (5 * i + 4) % 16, (5 * i + 8) % 16, (5 * i + 12) % 16);
        for (int i = 0; i < 4; i++) /* rows */
            salsa_quarter(x, 5 * i, 4 * i + (i + 1) % 4, 4 * i + (i + 2) % 4, 4 * i + (i + 3) % 4);
    }
    generator_out(out, x, start);
}

static inline void salsa_stream(unsigned char *out, size_t length, uint64_t nonce, const unsigned char *key)
{
    unsigned char in[16], block[64];
    for (uint64_t i = 0; length; i++) {
        const size_t piece = length < 64 ? length : 64;
        for (int j = 0; j < 8; j++)
            in[j] = (unsigned char)(nonce >> (8 * j)), in[8 + j] = (unsigned char)(i >> (8 * j));
        salsa_block(block, in, key);
        memcpy(out, block, piece);
        out += piece;
        length -= piece;
    }
}

static inline void chacha_quarter(uint32_t *x, int a, int b, int c, int d)
{
    x[a] += x[b], x[d] = generator_turn(x[d] ^ x[a], 16);
    x[c] += x[d], x[b] = generator_turn(x[b] ^ x[c], 12);
    x[a] += x[b], x[d] = generator_turn(x[d] ^ x[a], 8);
    x[c] += x[d], x[b] = generator_turn(x[b] ^ x[c], 7);
}

/* Computes block number `count` for an all-zero nonce. */
static inline void chacha_block(unsigned char *out, uint32_t count, const unsigned char *key)
{
    uint32_t start[16] = {0}, x[16];
    for (int i = 0; i < 4; i++) start[i] = generator_load((const unsigned char *)"expand 32-byte k" + 4 * i);
    for (int i = 0; i < 8; i++) start[4 + i] = generator_load(key + 4 * i);
    start[12] = count;
    memcpy(x, start, sizeof x);
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 4; i++) chacha_quarter(x, i, 4 + i, 8 + i, 12 + i);
        for (int i = 0; i < 4; i++) chacha_quarter(x, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
    }
    generator_out(out, x, start);
}

#endif
