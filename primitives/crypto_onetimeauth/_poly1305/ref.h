/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef POLY1305_REF_H
#define POLY1305_REF_H

/* Poly1305 as RFC 8439, section 2.5, writes it, on any machine with 32 x 32
 * -> 64-bit multiplication: a number modulo p = 2^130 - 5 is five limbs of 26
 * bits, x = x[0] + 2^26 x[1] + ... + 2^104 x[4].  Limbs that leave at the top
 * come back at the bottom times 5, since 2^130 = 5 (mod p). */

#include "bytes.h"

#define POLY1305_26 0x3ffffffu

/* r AND 0x0ffffffc0ffffffc0ffffffc0fffffff, cut into limbs. */
static inline void poly1305_ref_clamp(uint32_t r[5], const uint8_t bytes[16])
{
    uint32_t w0 = load_le32(bytes) & 0x0fffffff;
    uint32_t w1 = load_le32(bytes + 4) & 0x0ffffffc;
    uint32_t w2 = load_le32(bytes + 8) & 0x0ffffffc;
    uint32_t w3 = load_le32(bytes + 12) & 0x0ffffffc;

    r[0] = w0 & POLY1305_26;
    r[1] = (w0 >> 26 | w1 << 6) & POLY1305_26;
    r[2] = (w1 >> 20 | w2 << 12) & POLY1305_26;
    r[3] = (w2 >> 14 | w3 << 18) & POLY1305_26;
    r[4] = w3 >> 8;
}

/* h = h r mod p, not fully reduced.  Limbs of h are below 2^28, of r below
 * 2^26: each d is below 2^54 (1 + 4 * 5) < 2^59.  Afterwards h[1] is below
 * 2^26 + 2^10, the other limbs below 2^26. */
static inline void poly1305_ref_mul(uint32_t h[5], const uint32_t r[5])
{
    uint64_t d[5], carry = 0;

    for (int i = 0; i < 5; i++) {
        d[i] = 0;
        for (int j = 0; j < 5; j++) {
            uint32_t factor = j <= i ? r[i - j] : 5 * r[i - j + 5];
            d[i] += (uint64_t)h[j] * factor;
        }
    }
    for (int i = 0; i < 5; i++) {
        d[i] += carry;
        carry = d[i] >> 26;
        h[i] = (uint32_t)d[i] & POLY1305_26;
    }
    carry = h[0] + 5 * carry; /* the carry is below 2^34 */
    h[0] = (uint32_t)carry & POLY1305_26;
    h[1] += (uint32_t)(carry >> 26);
}

/* h = (h + block + 2^128 top) r. */
static inline void poly1305_ref_block(uint32_t h[5], const uint32_t r[5],
                                      const uint8_t block[16], uint32_t top)
{
    uint32_t w0 = load_le32(block), w1 = load_le32(block + 4);
    uint32_t w2 = load_le32(block + 8), w3 = load_le32(block + 12);

    h[0] += w0 & POLY1305_26;
    h[1] += (w0 >> 26 | w1 << 6) & POLY1305_26;
    h[2] += (w1 >> 20 | w2 << 12) & POLY1305_26;
    h[3] += (w2 >> 14 | w3 << 18) & POLY1305_26;
    h[4] += w3 >> 8 | top << 24;
    poly1305_ref_mul(h, r);
}

/* The last piece of a message may be shorter than 16 bytes: the one follows
 * right behind its last byte. */
static inline void poly1305_ref_message(uint32_t h[5], const uint32_t r[5],
                                        const uint8_t *in, uint64_t length)
{
    for (; length >= 16; length -= 16, in += 16)
        poly1305_ref_block(h, r, in, 1);
    if (length > 0) {
        uint8_t block[16] = {0};
        memcpy(block, in, length);
        block[length] = 1;
        poly1305_ref_block(h, r, block, 0);
    }
}

/* The same for data that is filled up with zeroes to a multiple of 16 bytes,
 * as the AEAD of RFC 8439, section 2.8, does it. */
static inline void poly1305_ref_padded(uint32_t h[5], const uint32_t r[5],
                                       const uint8_t *in, uint64_t length)
{
    for (; length >= 16; length -= 16, in += 16)
        poly1305_ref_block(h, r, in, 1);
    if (length > 0) {
        uint8_t block[16] = {0};
        memcpy(block, in, length);
        poly1305_ref_block(h, r, block, 1);
    }
}

/* tag = (h mod p) + s mod 2^128.  h - p = h + 5 - 2^130 is taken when h + 5
 * reaches 2^130; no branch, as h is secret. */
static inline void poly1305_ref_tag(uint8_t tag[16], uint32_t h[5],
                                    const uint8_t s[16])
{
    uint32_t g[5], carry = 0;

    /* After the second round all limbs are below 2^26. */
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 5; i++) {
            h[i] += carry;
            carry = h[i] >> 26;
            h[i] &= POLY1305_26;
        }
        carry *= 5;
    }
    h[0] += carry;

    carry = 5;
    for (int i = 0; i < 5; i++) {
        g[i] = h[i] + carry;
        carry = g[i] >> 26;
        g[i] &= POLY1305_26;
    }
    uint32_t reached = 0u - carry; /* all ones if h >= p */
    for (int i = 0; i < 5; i++) h[i] = (h[i] & ~reached) | (g[i] & reached);

    uint32_t w[4] = {h[0] | h[1] << 26, h[1] >> 6 | h[2] << 20,
                     h[2] >> 12 | h[3] << 14, h[3] >> 18 | h[4] << 8};
    uint64_t sum = 0;
    for (int i = 0; i < 4; i++) {
        sum += (uint64_t)w[i] + load_le32(s + 4 * i);
        store_le32(tag + 4 * i, (uint32_t)sum);
        sum >>= 32;
    }
}

#endif
