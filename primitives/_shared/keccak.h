/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef KECCAK_H
#define KECCAK_H

/* The sponge of FIPS 202 over Keccak-p[1600, 24], for messages of whole bytes.
 * A state is 25 lanes of 64 bits, little-endian (section 3.1). */

#include "bytes.h"

typedef struct {
    uint64_t lane[25];
    uint64_t at; /* bytes of the present block that are in, or out */
} keccak_sponge;

/* Bytes of a block, and the suffix: sections 6.1 and 6.2. */
#define SHA3_256_RATE 136
#define SHA3_512_RATE 72
#define SHA3_SUFFIX 0x06 /* 01, then the padding's 1 */
#define SHAKE128_RATE 168
#define SHAKE256_RATE 136
#define SHAKE_SUFFIX 0x1f /* 1111, then the padding's 1 */

/* Round constants: section 3.2.5, algorithm 5 (an LFSR). */
static const uint64_t keccak_round[24] = {
    UINT64_C(0x0000000000000001), UINT64_C(0x0000000000008082), UINT64_C(0x800000000000808a),
    UINT64_C(0x8000000080008000), UINT64_C(0x000000000000808b), UINT64_C(0x0000000080000001),
    UINT64_C(0x8000000080008081), UINT64_C(0x8000000000008009), UINT64_C(0x000000000000008a),
    UINT64_C(0x0000000000000088), UINT64_C(0x0000000080008009), UINT64_C(0x000000008000000a),
    UINT64_C(0x000000008000808b), UINT64_C(0x800000000000008b), UINT64_C(0x8000000000008089),
    UINT64_C(0x8000000000008003), UINT64_C(0x8000000000008002), UINT64_C(0x8000000000000080),
    UINT64_C(0x000000000000800a), UINT64_C(0x800000008000000a), UINT64_C(0x8000000080008081),
    UINT64_C(0x8000000000008080), UINT64_C(0x0000000080000001), UINT64_C(0x8000000080008008),
};

/* rho and pi walk over the lanes together (algorithms 2 and 3). */
static const uint8_t keccak_rotation[24] = {
    1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44,
};
static const uint8_t keccak_lane[24] = {
    10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1,
};

/* The loops over lanes are unrolled by every compiler: lanes then stay in registers, and nothing of the tables
 * and remainders is left. */
static inline __attribute__((always_inline)) void keccak_theta(uint64_t *a)
{
    uint64_t c[5];
#pragma GCC unroll 5
    for (unsigned x = 0; x < 5; x++) c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
#pragma GCC unroll 5
    for (unsigned x = 0; x < 5; x++) {
        const uint64_t d = c[(x + 4) % 5] ^ rotl64(c[(x + 1) % 5], 1);
#pragma GCC unroll 5
        for (unsigned y = 0; y < 25; y += 5) a[x + y] ^= d;
    }
}

static inline __attribute__((always_inline)) void keccak_rho_pi(uint64_t *a)
{
    uint64_t moved = a[1];
#pragma GCC unroll 24
    for (unsigned i = 0; i < 24; i++) {
        const uint64_t next = a[keccak_lane[i]];
        a[keccak_lane[i]] = rotl64(moved, keccak_rotation[i]);
        moved = next;
    }
}

static inline __attribute__((always_inline)) void keccak_chi(uint64_t *a)
{
#pragma GCC unroll 5
    for (unsigned y = 0; y < 25; y += 5) {
        const uint64_t b[5] = {a[y], a[y + 1], a[y + 2], a[y + 3], a[y + 4]};
#pragma GCC unroll 5
        for (unsigned x = 0; x < 5; x++) a[y + x] = b[x] ^ (~b[(x + 1) % 5] & b[(x + 2) % 5]);
    }
}

static void keccak_permute(uint64_t *lanes)
{
    uint64_t a[25];

    memcpy(a, lanes, sizeof a);
    for (unsigned round = 0; round < 24; round++) {
        keccak_theta(a);
        keccak_rho_pi(a);
        keccak_chi(a);
        a[0] ^= keccak_round[round];
    }
    memcpy(lanes, a, sizeof a);
}

static inline void keccak_start(keccak_sponge *s)
{
    memset(s, 0, sizeof *s);
}

/* Adds one byte at the present place. */
static inline void keccak_add(keccak_sponge *s, uint64_t at, uint8_t byte)
{
    s->lane[at / 8] ^= (uint64_t)byte << 8 * (at % 8);
}

static inline void keccak_absorb(keccak_sponge *s, uint64_t rate, const uint8_t *in, uint64_t length)
{
    while (length > 0) {
        if (s->at == 0 && length >= rate) {
            for (uint64_t i = 0; i < rate / 8; i++) s->lane[i] ^= load_le64(in + 8 * i);
            keccak_permute(s->lane);
            in += rate, length -= rate;
        } else if (s->at % 8 == 0 && length >= 8) {
            s->lane[s->at / 8] ^= load_le64(in);
            s->at += 8;
            in += 8, length -= 8;
            if (s->at == rate) keccak_permute(s->lane), s->at = 0;
        } else {
            keccak_add(s, s->at++, *in++);
            length--;
            if (s->at == rate) keccak_permute(s->lane), s->at = 0;
        }
    }
}

/* The suffix of the function (section 6), the first 1 of the padding included, and the last 1. */
static inline void keccak_pad(keccak_sponge *s, uint64_t rate, uint8_t suffix)
{
    keccak_add(s, s->at, suffix);
    keccak_add(s, rate - 1, 0x80);
    s->at = rate;
}

static inline void keccak_squeeze(keccak_sponge *s, uint64_t rate, uint8_t *out, uint64_t length)
{
    while (length > 0) {
        if (s->at == rate) keccak_permute(s->lane), s->at = 0;
        if (s->at == 0 && length >= rate) {
            for (uint64_t i = 0; i < rate / 8; i++) store_le64(out + 8 * i, s->lane[i]);
            s->at = rate;
            out += rate, length -= rate;
        } else if (s->at % 8 == 0 && length >= 8) {
            store_le64(out, s->lane[s->at / 8]);
            s->at += 8;
            out += 8, length -= 8;
        } else {
            *out++ = (uint8_t)(s->lane[s->at / 8] >> 8 * (s->at % 8));
            s->at++;
            length--;
        }
    }
}

/* The function with this rate and suffix, of x || y. */
static inline void keccak_hash(uint8_t *out, uint64_t bytes, uint64_t rate, uint8_t suffix, const uint8_t *x,
                               uint64_t x_bytes, const uint8_t *y, uint64_t y_bytes)
{
    keccak_sponge sponge;

    keccak_start(&sponge);
    keccak_absorb(&sponge, rate, x, x_bytes);
    keccak_absorb(&sponge, rate, y, y_bytes);
    keccak_pad(&sponge, rate, suffix);
    keccak_squeeze(&sponge, rate, out, bytes);
}

#endif
