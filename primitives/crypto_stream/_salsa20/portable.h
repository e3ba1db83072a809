/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SALSA20_PORTABLE_H
#define SALSA20_PORTABLE_H

/* Salsa20 in 32-bit words, the sixteen of a block in local variables, xored
 * into the message with no block of bytes between; see ref.h for what is
 * offered. */

#include <stdint.h>
#include <string.h>

#include "bytes.h"

#define SALSA20_AHEAD 1

#define SALSA20_QUARTER(a, b, c, d)                                            \
    b ^= rotl32(a + d, 7);                                                     \
    c ^= rotl32(b + a, 9);                                                     \
    d ^= rotl32(c + b, 13);                                                    \
    a ^= rotl32(d + c, 18);

/* 64 bytes; `in` may be a null pointer. */
static void salsa20_block(uint8_t *out, const uint8_t *in, const uint32_t key[8],
                          const uint32_t nonce[2], uint64_t counter)
{
    uint32_t x0 = 0x61707865, x1 = key[0], x2 = key[1], x3 = key[2];
    uint32_t x4 = key[3], x5 = 0x3320646e, x6 = nonce[0], x7 = nonce[1];
    uint32_t x8 = (uint32_t)counter, x9 = (uint32_t)(counter >> 32);
    uint32_t x10 = 0x79622d32, x11 = key[4], x12 = key[5], x13 = key[6];
    uint32_t x14 = key[7], x15 = 0x6b206574;

    for (int i = 0; i < SALSA20_ROUNDS; i += 2) {
        SALSA20_QUARTER(x0, x4, x8, x12)
        SALSA20_QUARTER(x5, x9, x13, x1)
        SALSA20_QUARTER(x10, x14, x2, x6)
        SALSA20_QUARTER(x15, x3, x7, x11)
        SALSA20_QUARTER(x0, x1, x2, x3)
        SALSA20_QUARTER(x5, x6, x7, x4)
        SALSA20_QUARTER(x10, x11, x8, x9)
        SALSA20_QUARTER(x15, x12, x13, x14)
    }
#define PUT(i, input)                                                          \
    store_le32(out + 4 * i, (x##i + (input)) ^ (in ? load_le32(in + 4 * i) : 0))
    PUT(0, 0x61707865);
    PUT(1, key[0]);
    PUT(2, key[1]);
    PUT(3, key[2]);
    PUT(4, key[3]);
    PUT(5, 0x3320646e);
    PUT(6, nonce[0]);
    PUT(7, nonce[1]);
    PUT(8, (uint32_t)counter);
    PUT(9, (uint32_t)(counter >> 32));
    PUT(10, 0x79622d32);
    PUT(11, key[4]);
    PUT(12, key[5]);
    PUT(13, key[6]);
    PUT(14, key[7]);
    PUT(15, 0x6b206574);
#undef PUT
}

static inline void salsa20_expandkey(uint32_t key[8], const uint8_t bytes[32])
{
    for (int i = 0; i < 8; i++) key[i] = load_le32(bytes + 4 * i);
}

static void salsa20_xor(uint8_t *out, const uint8_t *in, uint64_t length,
                        const uint32_t key[8], const uint8_t nonce[8],
                        uint64_t counter)
{
    const uint32_t n[2] = {load_le32(nonce), load_le32(nonce + 4)};
    uint8_t pad[64];

    for (; length >= 64; length -= 64) {
        salsa20_block(out, in, key, n, counter++);
        out += 64;
        if (in) in += 64;
    }
    if (length == 0) return;
    salsa20_block(pad, 0, key, n, counter);
    if (in)
        xor_bytes(out, in, pad, length);
    else
        memcpy(out, pad, length);
}

static inline unsigned salsa20_first(uint64_t blocks)
{
    (void)blocks;
    return 1;
}

#define salsa20_apply xor_bytes

#endif
