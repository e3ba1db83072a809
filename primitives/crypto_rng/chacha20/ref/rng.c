/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* 12 blocks of ChaCha20 (Bernstein, "ChaCha, a variant of Salsa20", 2008) with
 * nonce 0 and counters from 0. */
#include "crypto_rng.h"

#include "bytes.h"

#define BLOCK 64
#define BLOCKS ((crypto_rng_KEYBYTES + crypto_rng_OUTPUTBYTES) / BLOCK)

#define QUARTER(a, b, c, d)                      \
    do {                                         \
        a += b, d = rotl32(d ^ a, 16);           \
        c += d, b = rotl32(b ^ c, 12);           \
        a += b, d = rotl32(d ^ a, 8);            \
        c += d, b = rotl32(b ^ c, 7);            \
    } while (0)

static void block(uint8_t *out, const uint32_t *start)
{
    uint32_t x[16];
    memcpy(x, start, sizeof x);
    for (unsigned i = 0; i < 20; i += 2) {
        QUARTER(x[0], x[4], x[8], x[12]);
        QUARTER(x[1], x[5], x[9], x[13]);
        QUARTER(x[2], x[6], x[10], x[14]);
        QUARTER(x[3], x[7], x[11], x[15]);
        QUARTER(x[0], x[5], x[10], x[15]);
        QUARTER(x[1], x[6], x[11], x[12]);
        QUARTER(x[2], x[7], x[8], x[13]);
        QUARTER(x[3], x[4], x[9], x[14]);
    }
    for (unsigned i = 0; i < 16; i++) store_le32(out + 4 * i, x[i] + start[i]);
}

int crypto_rng(unsigned char *r, unsigned char *n, const unsigned char *g)
{
    uint8_t stream[BLOCKS * BLOCK];
    uint32_t x[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}; /* "expand 32-byte k" */
    for (unsigned i = 0; i < 8; i++) x[4 + i] = load_le32(g + 4 * i);
    for (unsigned i = 0; i < BLOCKS; i++) {
        x[12] = i;
        block(stream + BLOCK * i, x);
    }
    memcpy(n, stream, crypto_rng_KEYBYTES);
    memcpy(r, stream + crypto_rng_KEYBYTES, crypto_rng_OUTPUTBYTES);
    return 0;
}
