/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* SOSEMANUK by chunks of 32 words, for a file that defines
 *   SUBSTITUTE(x0, x1, x2, x3)   S-box 2 on vectors of eight words
 *   WIDE_FROM                    bytes from which this pays
 * and has included setup and a register (register_gfni.h or register_tables.h).
 *
 * Nothing goes back from the state machine to the register.  Three pieces of
 * work run side by side, a chunk apart, through memory:
 *   the register, a chunk ahead;
 *   R1 and R2, in ordinary registers: the chain that sets the pace;
 *   the output, eight words at once, a chunk behind. */

#include <immintrin.h>

#include "steps.h"

/* R1 and R2 of eight steps; the choice by R1's lowest bit must not become a
 * branch. */
static inline void state_machine(uint32_t *R1, uint32_t *R2, const uint32_t *a,
                                 const uint32_t *x, uint32_t *first1, uint32_t *first2)
{
    uint32_t r1 = *first1, r2 = *first2;
    (void)x;
#pragma GCC unroll 8
    for (int t = 0; t < 8; t++) {
        uint32_t even = r2 + a[t + 1], odd = r2 + ODD_TERM(a, x, t);
        r2 = rotl32(0x54655307 * r1, 7);
        __asm__("testb $1, %b1\n\tcmovnel %2, %0"
                : "+r"(even) : "q"(r1), "r"(odd) : "cc");
        R1[t] = r1 = even;
        R2[t] = r2;
    }
    *first1 = r1;
    *first2 = r2;
}

#define LOAD(p) _mm256_loadu_si256((const __m256i *)(p))

/* 4 x 4 words within each 128-bit half; its own inverse */
#define TRANSPOSE(x0, x1, x2, x3)                                              \
    {                                                                          \
        __m256i a = _mm256_unpacklo_epi32(x0, x1);                             \
        __m256i b = _mm256_unpackhi_epi32(x0, x1);                             \
        __m256i c = _mm256_unpacklo_epi32(x2, x3);                             \
        __m256i d = _mm256_unpackhi_epi32(x2, x3);                             \
        x0 = _mm256_unpacklo_epi64(a, c), x1 = _mm256_unpackhi_epi64(a, c);    \
        x2 = _mm256_unpacklo_epi64(b, d), x3 = _mm256_unpackhi_epi64(b, d);    \
    }

static inline void output(uint8_t *out, const uint8_t *in, const uint32_t *a,
                          const uint32_t *r1, const uint32_t *r2)
{
    __m256i f[4];
    for (int i = 0; i < 4; i++) {
        f[i] = _mm256_add_epi32(LOAD(a + 8 * i + 9), LOAD(r1 + 8 * i));
        f[i] = _mm256_xor_si256(f[i], LOAD(r2 + 8 * i));
    }
    __m256i x0 = f[0], x1 = f[1], x2 = f[2], x3 = f[3];
    TRANSPOSE(x0, x1, x2, x3)
    SUBSTITUTE(x0, x1, x2, x3)
    TRANSPOSE(x0, x1, x2, x3)
    f[0] = x0, f[1] = x1, f[2] = x2, f[3] = x3;
    for (int i = 0; i < 4; i++) {
        f[i] = _mm256_xor_si256(f[i], LOAD(a + 8 * i));
        f[i] = _mm256_xor_si256(f[i], LOAD(in + 32 * i));
        _mm256_storeu_si256((__m256i *)(out + 32 * i), f[i]);
    }
}

static void xor_by_chunks(crypto_stream_state *z, uint8_t *out, const uint8_t *in,
                          uint64_t chunks)
{
    register_state w;
    uint32_t R1[2 * CHUNK], R2[2 * CHUNK], r1 = z->r1, r2 = z->r2, side = 0, t;
    begin(&w, z);
    for (t = 0; t < CHUNK; t += 8) eight_ahead(&w, t);
    for (t = 0; chunks > 0; chunks--, side ^= CHUNK) {
        for (uint32_t i = side; i < side + CHUNK; i += 8, t += 8) {
            eight_ahead(&w, t + CHUNK);
            state_machine(R1 + i, R2 + i, w.a + t % RING, ODD_TERMS(w) + t % RING,
                          &r1, &r2);
        }
        if (t > CHUNK) {
            output(out, in, w.a + (t - 2 * CHUNK) % RING, R1 + (side ^ CHUNK),
                   R2 + (side ^ CHUNK));
            out += 4 * CHUNK;
            in += 4 * CHUNK;
        }
    }
    output(out, in, w.a + (t - CHUNK) % RING, R1 + (side ^ CHUNK),
           R2 + (side ^ CHUNK));
    memcpy(z->a, w.a + t % RING, sizeof z->a);
    z->r1 = r1;
    z->r2 = r2;
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    static const uint8_t zero[16];
    (void)soon;
    setup(state, nonce, expanded);
    group(state, first, zero);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    uint64_t done = 0;
    if (length >= WIDE_FROM) {
        done = length & ~(uint64_t)(4 * CHUNK - 1);
        xor_by_chunks(state, out, in, done / (4 * CHUNK));
    }
    xor_by_groups(state, out + done, in + done, length - done);
}
