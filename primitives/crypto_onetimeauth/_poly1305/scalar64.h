/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef POLY1305_SCALAR64_H
#define POLY1305_SCALAR64_H

/* Poly1305 in radix 2^64, for machines with a 64 x 64 -> 128-bit multiplier.
 *
 * h = h[0] + 2^64 h[1] + 2^128 h[2] with h[2] <= 7: two full words and a few
 * bits.  Clamping makes r[1] a multiple of 4, so 2^128 r[1] = 2^130 (r[1] / 4)
 * = 5 r[1] / 4 (mod p) is a word again, and h r takes four wide and two
 * narrow multiplications.  Clamping also keeps the top four bits of the words
 * of r free, so sums of products do not leave 128 bits (Bernstein, FSE 2005,
 * section 2, gives this as the reason for clamping).  Only the carry beyond
 * 2^130 is folded after each block; h mod p waits for the tag. */

#include "bytes.h"

__extension__ typedef unsigned __int128 poly1305_u128;

static inline void poly1305_64_clamp(uint64_t r[2], const uint8_t bytes[16])
{
    r[0] = load_le64(bytes) & 0x0ffffffc0fffffff;
    r[1] = load_le64(bytes + 8) & 0x0ffffffc0ffffffc;
}

/* Carries are found by comparison with a summand: compilers turn double words
 * that are added whole into add, adc better than words added one by one. */

/* h = h + lo + 2^64 hi + 2^128 top. */
static inline void poly1305_64_add(uint64_t h[3], uint64_t lo, uint64_t hi,
                                   uint64_t top)
{
    poly1305_u128 x = (poly1305_u128)hi << 64 | lo;
    poly1305_u128 sum = ((poly1305_u128)h[1] << 64 | h[0]) + x;

    h[0] = (uint64_t)sum;
    h[1] = (uint64_t)(sum >> 64);
    h[2] += top + (sum < x);
}

/* h mod 2^130 + 5 floor(h / 2^130), for any h[2]. */
static inline void poly1305_64_fold(uint64_t h[3])
{
    uint64_t carry = (h[2] >> 2) + (h[2] & ~(uint64_t)3);

    h[2] &= 3;
    poly1305_64_add(h, carry, 0, 0);
}

/* h = h r + lo + 2^64 hi + 2^128 top for a clamped r; h[2] <= 7 before,
 * <= 5 + top after.  Words of r are below 2^60, so d0 < 2^64 (2^60 +
 * 1.25 * 2^60) and d1 < 2^64 (2^60 + 2^60) + 7 * 1.25 * 2^60 + 2^62.  The
 * block is added while the carry beyond 2^130 is still under way. */
static inline void poly1305_64_mul_add(uint64_t h[3], const uint64_t r[2],
                                       uint64_t lo, uint64_t hi, uint64_t top)
{
    uint64_t r1_5_4 = r[1] + (r[1] >> 2);
    poly1305_u128 d0 = (poly1305_u128)h[0] * r[0] + (poly1305_u128)h[1] * r1_5_4;
    poly1305_u128 d1 = (poly1305_u128)h[0] * r[1] + (poly1305_u128)h[1] * r[0];

    d1 += h[2] * r1_5_4;
    d1 += (uint64_t)(d0 >> 64);
    uint64_t high = h[2] * r[0] + (uint64_t)(d1 >> 64);
    h[0] = (uint64_t)d0;
    h[1] = (uint64_t)d1;
    h[2] = high & 3;
    poly1305_64_add(h, lo, hi, top);
    poly1305_64_add(h, (high >> 2) + (high & ~(uint64_t)3), 0, 0);
}

/* h = h r */
static inline void poly1305_64_mul(uint64_t h[3], const uint64_t r[2])
{
    poly1305_64_mul_add(h, r, 0, 0, 0);
}

/* Bytes 0..length-1 as a little-endian number, 0 < length < 16, touching
 * nothing beyond them: overlapping loads instead of a loop. */
static inline poly1305_u128 poly1305_64_partial(const uint8_t *in,
                                                uint64_t length)
{
    if (length >= 8) {
        uint64_t high = load_le64(in + length - 8);
        high = length == 8 ? 0 : high >> (8 * (16 - length));
        return load_le64(in) | (poly1305_u128)high << 64;
    }
    if (length >= 4)
        return load_le32(in)
               | (uint64_t)load_le32(in + length - 4) << (8 * (length - 4));
    return in[0] | (uint32_t)in[length / 2] << (8 * (length / 2))
           | (uint32_t)in[length - 1] << (8 * (length - 1));
}

/* h = (((h + block) r + block) r ...), whole blocks. */
static inline void poly1305_64_blocks(uint64_t h[3], const uint64_t r[2],
                                      const uint8_t *in, uint64_t blocks)
{
    uint64_t x[3] = {h[0], h[1], h[2]};

    if (blocks == 0) return;
    poly1305_64_add(x, load_le64(in), load_le64(in + 8), 1);
    while (--blocks > 0) {
        in += 16;
        poly1305_64_mul_add(x, r, load_le64(in), load_le64(in + 8), 1);
    }
    poly1305_64_mul(x, r);
    memcpy(h, x, sizeof x);
}

/* A message: the one follows right behind its last byte. */
static inline void poly1305_64_message(uint64_t h[3], const uint64_t r[2],
                                       const uint8_t *in, uint64_t length)
{
    uint64_t rest = length % 16;

    poly1305_64_blocks(h, r, in, length / 16);
    if (rest > 0) {
        poly1305_u128 last = poly1305_64_partial(in + length - rest, rest);
        last |= (poly1305_u128)1 << (8 * rest);
        poly1305_64_add(h, (uint64_t)last, (uint64_t)(last >> 64), 0);
        poly1305_64_mul(h, r);
    }
}

/* Data filled up with zeroes to a multiple of 16 bytes (RFC 8439, 2.8). */
static inline void poly1305_64_padded(uint64_t h[3], const uint64_t r[2],
                                      const uint8_t *in, uint64_t length)
{
    uint64_t rest = length % 16;

    poly1305_64_blocks(h, r, in, length / 16);
    if (rest > 0) {
        poly1305_u128 last = poly1305_64_partial(in + length - rest, rest);
        poly1305_64_add(h, (uint64_t)last, (uint64_t)(last >> 64), 1);
        poly1305_64_mul(h, r);
    }
}

/* tag = (h mod p) + s mod 2^128, for any h[2] below 2^61.  With
 * a = floor(h / 2^130) and h = a p + (h mod 2^130) + 5 a, the quotient
 * q = floor(h / p) is floor((h + 5 a + 5) / 2^130), and
 * h - q p = h + 5 q (mod 2^128). */
static inline void poly1305_64_tag(uint8_t tag[16], const uint64_t h[3],
                                   const uint8_t s[16])
{
    poly1305_u128 low = (poly1305_u128)h[1] << 64 | h[0];
    poly1305_u128 pad = (poly1305_u128)load_le64(s + 8) << 64 | load_le64(s);
    poly1305_u128 up = low + 5 * ((h[2] >> 2) + 1);
    uint64_t q = (h[2] + (up < low)) >> 2;

    pad += low;
    pad += 5 * q;
    store_le64(tag, (uint64_t)pad);
    store_le64(tag + 8, (uint64_t)(pad >> 64));
}

#endif
