/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef RABBIT_KEY_H
#define RABBIT_KEY_H

/* What the implementations of Rabbit with 64-bit counter words share: the
 * counter, and the state as a key loads it (RFC 4503, sections 2.3 and 2.5). */

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "bytes.h"

/* to[0..3] = from[0..3] + A + b with the carry from word to word and out to b. */
static inline void count(uint64_t to[4], const uint64_t from[4], uint64_t *b)
{
    static const uint64_t A[4] = { 0xD34D34D34D34D34D, 0x4D34D34D34D34D34,
                                   0x34D34D34D34D34D3, 0xD34D34D34D34D34D };
#ifdef __x86_64__
    unsigned char carry = (unsigned char)*b;
    for (int i = 0; i < 4; i++) {
        unsigned long long sum;
        carry = _addcarry_u64(carry, from[i], A[i], &sum);
        to[i] = sum;
    }
#else
    uint64_t carry = *b;
    for (int i = 0; i < 4; i++) {
        uint64_t t = A[i] + carry, sum = from[i] + t;
        to[i] = sum;
        carry = sum < t;
    }
#endif
    *b = carry;
}

/* k_0..k_7 of the RFC are the halves of four words; x_j and c_j, j = 2m and
 * 2m + 1, take theirs from words m .. m + 3. */
static inline void load_key(uint32_t x[8], uint64_t c[4], const uint8_t *key)
{
    uint32_t k[4];
    for (int i = 0; i < 4; i++) k[i] = load_le32(key + 4 * i);
    for (int m = 0; m < 4; m++) {
        uint32_t k1 = k[(m + 1) & 3], k2 = k[(m + 2) & 3], k3 = k[(m + 3) & 3];
        x[2 * m] = k[m];
        x[2 * m + 1] = k3 << 16 | k2 >> 16;
        c[m] = (uint64_t)((k[m] & 0xffff0000) | (k1 & 0xffff)) << 32 | rotl32(k2, 16);
    }
}

/* The nonce as it is XORed into c[0] and c[2], c[1] and c[3]. */
static inline void load_nonce(uint64_t *even, uint64_t *odd, const uint8_t *nonce)
{
    uint32_t i0 = load_le32(nonce), i2 = load_le32(nonce + 4);
    *even = (uint64_t)((i2 & 0xffff0000) | i0 >> 16) << 32 | i0;
    *odd = (uint64_t)(i2 << 16 | (i0 & 0xffff)) << 32 | i2;
}

#endif
