/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SALSA20_REF_H
#define SALSA20_REF_H

/* Salsa20 as its specification (Bernstein 2005) tells it: one block after the
 * other, in portable C.  SALSA20_ROUNDS, defined before, is 20, 12 or 8.  No
 * branch and no address depends on a secret.
 *
 * Every header of this folder that is named after an implementation offers the
 * same functions; include one of them:
 *
 *   salsa20_expandkey  the words of the key, in the order which xor wants
 *   salsa20_xor        out = in ^ keystream, from the block `counter` on; `in`
 *                      may be a null pointer: plain keystream.  out == in is
 *                      allowed.
 *   salsa20_first      of a stream of so many blocks, how many to make at once
 *   salsa20_apply      out = in ^ pad */

#include <stdint.h>
#include <string.h>

#include "bytes.h"
#include "cipher.h"

#define SALSA20_AHEAD 1

static inline void salsa20_quarter_round(uint32_t x[16], int a, int b, int c,
                                         int d)
{
    x[b] ^= rotl32(x[a] + x[d], 7);
    x[c] ^= rotl32(x[b] + x[a], 9);
    x[d] ^= rotl32(x[c] + x[b], 13);
    x[a] ^= rotl32(x[d] + x[c], 18);
}

static inline void salsa20_block(uint8_t out[64], const uint32_t input[16])
{
    uint32_t x[16];

    memcpy(x, input, sizeof x);
    for (int i = 0; i < SALSA20_ROUNDS; i += 2) {
        salsa20_quarter_round(x, 0, 4, 8, 12);
        salsa20_quarter_round(x, 5, 9, 13, 1);
        salsa20_quarter_round(x, 10, 14, 2, 6);
        salsa20_quarter_round(x, 15, 3, 7, 11);
        salsa20_quarter_round(x, 0, 1, 2, 3);
        salsa20_quarter_round(x, 5, 6, 7, 4);
        salsa20_quarter_round(x, 10, 11, 8, 9);
        salsa20_quarter_round(x, 15, 12, 13, 14);
    }
    for (int i = 0; i < 16; i++) store_le32(out + 4 * i, x[i] + input[i]);
}

static inline void salsa20_expandkey(uint32_t key[8], const uint8_t bytes[32])
{
    for (int i = 0; i < 8; i++) key[i] = load_le32(bytes + 4 * i);
}

static void salsa20_xor(uint8_t *out, const uint8_t *in, uint64_t length,
                        const uint32_t key[8], const uint8_t nonce[8],
                        uint64_t counter)
{
    uint32_t x[16];
    uint8_t block[64];

    x[0] = 0x61707865; /* "expand 32-byte k" */
    x[5] = 0x3320646e;
    x[10] = 0x79622d32;
    x[15] = 0x6b206574;
    for (int i = 0; i < 4; i++) {
        x[1 + i] = key[i];
        x[11 + i] = key[4 + i];
    }
    x[6] = load_le32(nonce);
    x[7] = load_le32(nonce + 4);
    while (length > 0) {
        uint64_t n = length < 64 ? length : 64;
        x[8] = (uint32_t)counter;
        x[9] = (uint32_t)(counter >> 32);
        salsa20_block(block, x);
        if (in) {
            xor_bytes(out, in, block, n);
            in += n;
        } else {
            memcpy(out, block, n);
        }
        out += n;
        length -= n;
        counter++;
    }
}

static inline unsigned salsa20_first(uint64_t blocks)
{
    (void)blocks;
    return 1;
}

#define salsa20_apply xor_bytes

#endif
