/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The authentication tag of the records: a keyed hash (BLAKE2s, RFC 7693) over every byte of them, so that
 * anything else written to the same stream is detected. */
#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>

#include "runtime.h"

#define KEYBYTES 32
#define BLOCKBYTES 64

static const uint32_t iv[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                               0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static const uint8_t sigma[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

static struct {
    uint32_t h[8];
    uint64_t count;
    uint8_t block[BLOCKBYTES];
    size_t filled;
    int open;
} tag;

static uint32_t load(const uint8_t *x)
{
    return (uint32_t)x[0] | (uint32_t)x[1] << 8 | (uint32_t)x[2] << 16 | (uint32_t)x[3] << 24;
}

static uint32_t rotr(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

static void mix(uint32_t *v, unsigned a, unsigned b, unsigned c, unsigned d, uint32_t x, uint32_t y)
{
    v[a] += v[b] + x;
    v[d] = rotr(v[d] ^ v[a], 16);
    v[c] += v[d];
    v[b] = rotr(v[b] ^ v[c], 12);
    v[a] += v[b] + y;
    v[d] = rotr(v[d] ^ v[a], 8);
    v[c] += v[d];
    v[b] = rotr(v[b] ^ v[c], 7);
}

static void compress(int last)
{
    uint32_t v[16], m[16];
    for (unsigned i = 0; i < 16; i++) m[i] = load(tag.block + 4 * i);
    memcpy(v, tag.h, sizeof tag.h);
    memcpy(v + 8, iv, sizeof iv);
    v[12] ^= (uint32_t)tag.count;
    v[13] ^= (uint32_t)(tag.count >> 32);
    if (last) v[14] = ~v[14];
    for (unsigned round = 0; round < 10; round++) {
        const uint8_t *s = sigma[round];
        for (unsigned i = 0; i < 4; i++) mix(v, i, 4 + i, 8 + i, 12 + i, m[s[2 * i]], m[s[2 * i + 1]]);
        for (unsigned i = 0; i < 4; i++)
            mix(v, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, m[s[8 + 2 * i]], m[s[9 + 2 * i]]);
    }
    for (unsigned i = 0; i < 8; i++) tag.h[i] ^= v[i] ^ v[8 + i];
}

void record_tag_open(void)
{
    uint8_t key[KEYBYTES];
    size_t have = 0;
    while (have < sizeof key) { /* never reads beyond the key: requests follow it */
        const ssize_t got = read(STDIN_FILENO, key + have, sizeof key - have);
        if (got <= 0) _exit(4);
        have += (size_t)got;
    }
    memcpy(tag.h, iv, sizeof iv);
    tag.h[0] ^= 0x01010000u ^ KEYBYTES << 8 ^ RECORD_TAG_BYTES;
    memcpy(tag.block, key, sizeof key);
    memset(key, 0, sizeof key);
    __asm__ volatile("" : : "r"(key) : "memory");
    tag.count = BLOCKBYTES;
    compress(0); /* at once, so that the key does not stay in memory: the records are never empty */
    memset(tag.block, 0, sizeof tag.block);
    tag.open = 1;
}

void record_tag_add(const char *data, size_t length)
{
    if (!tag.open) return;
    for (size_t i = 0; i < length; i++) {
        if (tag.filled == BLOCKBYTES) {
            tag.count += BLOCKBYTES;
            compress(0);
            tag.filled = 0;
        }
        tag.block[tag.filled++] = (uint8_t)data[i];
    }
}

int record_tag_close(uint8_t out[RECORD_TAG_BYTES])
{
    if (!tag.open) return 0;
    tag.count += tag.filled;
    memset(tag.block + tag.filled, 0, BLOCKBYTES - tag.filled);
    compress(1);
    for (unsigned i = 0; i < RECORD_TAG_BYTES; i++) out[i] = (uint8_t)(tag.h[i / 4] >> 8 * (i % 4));
    tag.open = 0;
    return 1;
}
