/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CHACHA20_REF_H
#define CHACHA20_REF_H

/* ChaCha20 as RFC 8439, section 2, tells it: one block after the other, in
 * portable C.  No branch and no address depends on a secret.
 *
 * Every header of this folder that is named after an implementation offers the
 * same functions; include one of them:
 *
 *   chacha20_expandkey  the words of the key
 *   chacha20_xor        out = in ^ keystream, from the block `counter` on; `in`
 *                       may be a null pointer: plain keystream.  out == in is
 *                       allowed.
 *   chacha20_first      of a stream of so many blocks, how many to make at once
 *   chacha20_apply      out = in ^ pad
 *
 * The counter has 32 bits and wraps: as the RFC says, a nonce is good for 2^38
 * bytes. */

#include <stdint.h>
#include <string.h>

#include "bytes.h"
#include "cipher.h"

#define CHACHA20_AHEAD 1

static inline void chacha20_quarter_round(uint32_t x[16], int a, int b, int c,
                                          int d)
{
    x[a] += x[b], x[d] = rotl32(x[d] ^ x[a], 16);
    x[c] += x[d], x[b] = rotl32(x[b] ^ x[c], 12);
    x[a] += x[b], x[d] = rotl32(x[d] ^ x[a], 8);
    x[c] += x[d], x[b] = rotl32(x[b] ^ x[c], 7);
}

static inline void chacha20_block(uint8_t out[64], const uint32_t input[16])
{
    uint32_t x[16];

    memcpy(x, input, sizeof x);
    for (int i = 0; i < 10; i++) {
        chacha20_quarter_round(x, 0, 4, 8, 12);
        chacha20_quarter_round(x, 1, 5, 9, 13);
        chacha20_quarter_round(x, 2, 6, 10, 14);
        chacha20_quarter_round(x, 3, 7, 11, 15);
        chacha20_quarter_round(x, 0, 5, 10, 15);
        chacha20_quarter_round(x, 1, 6, 11, 12);
        chacha20_quarter_round(x, 2, 7, 8, 13);
        chacha20_quarter_round(x, 3, 4, 9, 14);
    }
    for (int i = 0; i < 16; i++) store_le32(out + 4 * i, x[i] + input[i]);
}

static void chacha20_xor(uint8_t *out, const uint8_t *in, uint64_t length,
                         const uint32_t key[8], const uint8_t nonce[12],
                         uint32_t counter)
{
    uint32_t x[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    uint8_t block[64];

    for (int i = 0; i < 8; i++) x[4 + i] = key[i];
    x[12] = counter;
    for (int i = 0; i < 3; i++) x[13 + i] = load_le32(nonce + 4 * i);
    while (length > 0) {
        uint64_t n = length < 64 ? length : 64;
        chacha20_block(block, x);
        if (in) {
            xor_bytes(out, in, block, n);
            in += n;
        } else {
            memcpy(out, block, n);
        }
        out += n;
        length -= n;
        x[12]++;
    }
}

static inline unsigned chacha20_first(uint64_t blocks)
{
    (void)blocks;
    return 1;
}

#define chacha20_apply xor_bytes

#endif
