/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Booting in registers (boot.h); then the generator in portable C by pieces of
 * seven words: 623 is 89 pieces, and its look-back of 14 words is two, so no
 * index ever wraps within a piece.  The products of the filter are taken in
 * pairs: accum waits for one multiplication in two bytes. */

#include "crypto_stream.h"

#include "../../_cryptmt/boot.h"

#define PIECE 7

/* The next seven bytes: p is the piece, back the one two pieces ago. */
static inline void piece(uint32_t *p, const uint32_t *back, uint32_t *y_, uint32_t *accum,
                         uint8_t *out)
{
    uint32_t y = *y_, a = *accum, w[PIECE];
#pragma GCC unroll 7
    for (int i = 0; i < PIECE; i++) {
        y ^= p[i] << 7 ^ back[i];
        p[i] ^= y ^ y >> 3;
        w[i] = p[i] | 1;
    }
#pragma GCC unroll 3
    for (int i = 0; i < PIECE - 1; i += 2) {
        uint32_t both = w[i] * w[i + 1];
        out[i] = (uint8_t)(a * w[i] >> 24);
        a *= both;
        out[i + 1] = (uint8_t)(a >> 24);
    }
    a *= w[PIECE - 1];
    out[PIECE - 1] = (uint8_t)(a >> 24);
    *y_ = y;
    *accum = a;
}

void crypto_stream_xor(crypto_stream_state *st, uint8_t *out, const uint8_t *in,
                       uint64_t length)
{
    uint32_t p[BLOCK];
    uint64_t n = boot(st, p, out, in, length);
    uint8_t pad[BLOCK];
    uint32_t y = 0x4d484e53, accum = st->accum;
    for (;;) {
        out += n;
        in += n;
        length -= n;
        if (length == 0) return;
        n = length < BLOCK ? length : BLOCK;
        piece(p, p + BLOCK - 2 * PIECE, &y, &accum, pad);
        piece(p + PIECE, p + BLOCK - PIECE, &y, &accum, pad + PIECE);
        for (uint64_t i = 2 * PIECE; i < n; i += PIECE)
            piece(p + i, p + i - 2 * PIECE, &y, &accum, pad + i);
        xor_bytes(out, in, pad, n);
    }
}
