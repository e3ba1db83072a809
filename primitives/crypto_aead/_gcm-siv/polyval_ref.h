/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef GCM_SIV_POLYVAL_REF_H
#define GCM_SIV_POLYVAL_REF_H

/* POLYVAL, RFC 8452, section 3, and counter mode on one block at a time.  Field
 * elements are two words, least significant bit and word first; the polynomial
 * is x^128 + x^127 + x^126 + x^121 + 1. */

#include "../_modes/aes_ref.h"

typedef struct {
    uint64_t h[2], s[2];
} siv_polyval;

static void siv_polyval_start(siv_polyval *p, const uint8_t *key, uint64_t blocks)
{
    (void)blocks;
    *p = (siv_polyval){{load_le64(key), load_le64(key + 8)}, {0, 0}};
}

/* s = dot(s + block, h) = (s + block) h x^-128: a division by x for each bit */
static void siv_polyval_block(siv_polyval *p, const uint8_t *block)
{
    const uint64_t a[2] = {p->s[0] ^ load_le64(block), p->s[1] ^ load_le64(block + 8)};
    uint64_t lo = 0, hi = 0;
    for (int i = 0; i < 128; i++) {
        const uint64_t bit = (uint64_t)0 - (a[i / 64] >> i % 64 & 1);
        lo ^= p->h[0] & bit;
        hi ^= p->h[1] & bit;
        const uint64_t odd = (uint64_t)0 - (lo & 1);
        lo = lo >> 1 | hi << 63;
        hi = hi >> 1 ^ (odd & 0xe100000000000000);
    }
    p->s[0] = lo;
    p->s[1] = hi;
}

static void siv_polyval_blocks(siv_polyval *p, const uint8_t *in, uint64_t blocks)
{
    for (; blocks > 0; blocks--, in += 16) siv_polyval_block(p, in);
}

static void siv_polyval_result(uint8_t *out, const siv_polyval *p)
{
    store_le64(out, p->s[0]);
    store_le64(out + 8, p->s[1]);
}

/* Section 4: a 32-bit counter, least significant byte first, which wraps */
static inline void siv_ctr(uint8_t *out, const uint8_t *in, uint64_t length, uint8_t *counter,
                    const uint8_t *w)
{
    while (length > 0) {
        const uint64_t n = length < 16 ? length : 16;
        uint8_t pad[16];
        mode_encipher(pad, counter, w);
        xor_bytes(out, in, pad, n);
        store_le32(counter, load_le32(counter) + 1);
        out += n;
        in += n;
        length -= n;
    }
}

#endif
