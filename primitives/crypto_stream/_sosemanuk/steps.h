/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SOSEMANUK_STEPS_H
#define SOSEMANUK_STEPS_H

/* SOSEMANUK by groups of four steps on ordinary words: 16 bytes of keystream,
 * S-box 2 bitsliced.  The register stands still and the names of its words
 * move: a0 is the oldest. */

#include "../_snow/alpha.h"
#include "bytes.h"
#include "serpent.h"

/* The sum for both values of R1's lowest bit, then a choice: the bit is late. */
#define STEP(f, v, a0, a1, a3, a8, a9)                                         \
    even = r2 + a1;                                                            \
    odd = r2 + (a1 ^ a8);                                                      \
    r2 = rotl32(0x54655307 * r1, 7);                                           \
    r1 = r1 & 1 ? odd : even;                                                  \
    f = (a9 + r1) ^ r2;                                                        \
    v = a0;                                                                    \
    a0 = a9 ^ alpha_divides(a3) ^ alpha_times(a0);

#define OUT(n, x) store_le32(out + 4 * (n), load_le32(in + 4 * (n)) ^ (x));

/* Four steps; afterwards the oldest word is a4. */
#define GROUP(n, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9)                       \
    STEP(f0, v0, a0, a1, a3, a8, a9)                                           \
    STEP(f1, v1, a1, a2, a4, a9, a0)                                           \
    STEP(f2, v2, a2, a3, a5, a0, a1)                                           \
    STEP(f3, v3, a3, a4, a6, a1, a2)                                           \
    SERPENT_S2(uint32_t, f0, f1, f2, f3)                                       \
    OUT(n, f0 ^ v0)                                                            \
    OUT(n + 1, f1 ^ v1)                                                        \
    OUT(n + 2, f2 ^ v2)                                                        \
    OUT(n + 3, f3 ^ v3)

#define LOCAL_STATE                                                            \
    uint32_t s0 = z->a[0], s1 = z->a[1], s2 = z->a[2], s3 = z->a[3], s4 = z->a[4]; \
    uint32_t s5 = z->a[5], s6 = z->a[6], s7 = z->a[7], s8 = z->a[8], s9 = z->a[9]; \
    uint32_t r1 = z->r1, r2 = z->r2, even, odd, f0, f1, f2, f3, v0, v1, v2, v3;

static inline void group(crypto_stream_state *z, uint8_t *out, const uint8_t *in)
{
    LOCAL_STATE
    GROUP(0, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9)
    uint32_t a[10] = { s4, s5, s6, s7, s8, s9, s0, s1, s2, s3 };
    memcpy(z->a, a, sizeof a);
    z->r1 = r1;
    z->r2 = r2;
}

/* After five groups the names are back in place: 80 bytes a turn. */
static inline void five_groups(crypto_stream_state *z, uint8_t *out, const uint8_t *in,
                               uint64_t turns)
{
    LOCAL_STATE
    for (; turns > 0; turns--, out += 80, in += 80) {
        GROUP(0, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9)
        GROUP(4, s4, s5, s6, s7, s8, s9, s0, s1, s2, s3)
        GROUP(8, s8, s9, s0, s1, s2, s3, s4, s5, s6, s7)
        GROUP(12, s2, s3, s4, s5, s6, s7, s8, s9, s0, s1)
        GROUP(16, s6, s7, s8, s9, s0, s1, s2, s3, s4, s5)
    }
    uint32_t a[10] = { s0, s1, s2, s3, s4, s5, s6, s7, s8, s9 };
    memcpy(z->a, a, sizeof a);
    z->r1 = r1;
    z->r2 = r2;
}

/* The last of a message, 1 to 5 groups: the state is not needed any more. */
static inline void last_groups(const crypto_stream_state *z, uint8_t *out,
                               const uint8_t *in, uint64_t groups)
{
    LOCAL_STATE
    GROUP(0, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9)
    if (groups == 1) return;
    GROUP(4, s4, s5, s6, s7, s8, s9, s0, s1, s2, s3)
    if (groups == 2) return;
    GROUP(8, s8, s9, s0, s1, s2, s3, s4, s5, s6, s7)
    if (groups == 3) return;
    GROUP(12, s2, s3, s4, s5, s6, s7, s8, s9, s0, s1)
    if (groups == 4) return;
    GROUP(16, s6, s7, s8, s9, s0, s1, s2, s3, s4, s5)
}

static inline void xor_by_groups(crypto_stream_state *z, uint8_t *out, const uint8_t *in,
                                 uint64_t length)
{
    uint64_t turns = length / 80;
    if (turns > 0) five_groups(z, out, in, turns);
    length -= 80 * turns;
    if (length > 0) {
        uint8_t pad[80] = { 0 };
        last_groups(z, pad, pad, (length + 15) / 16);
        xor_bytes(out + 80 * turns, in + 80 * turns, pad, length);
    }
}

#endif
