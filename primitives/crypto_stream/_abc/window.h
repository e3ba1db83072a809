/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* ABC v3 with windows of ABC_WINDOW bits, in portable C.  The linear register
 * is held as two 64-bit words, which makes two of its words at a time; four
 * steps are unrolled.  x is a chain of four operations a step, and the look-ups
 * run beside it. */

#include "tables.h"

static void abc_xor(abc_registers *r, const abc_tables *tables, uint8_t *out,
                    const uint8_t *in, uint64_t length)
{
    uint64_t a = r->z[0] | (uint64_t)r->z[1] << 32;
    uint64_t b = r->z[2] | (uint64_t)r->z[3] << 32;
    uint32_t x = r->x, d0 = r->d[0], d1 = r->d[1], d2 = r->d[2], s[4];
    uint8_t pad[16];
    for (;; length -= 16, out += 16, in += 16) {
        uint64_t c = b ^ a >> 1 ^ b << 63;
        uint64_t d = c ^ b >> 1 ^ c << 63;
        uint32_t t[4], z[4];    /* the new words; the words that step i adds */
        t[0] = z[3] = (uint32_t)c;
        t[1] = (uint32_t)(c >> 32);
        t[2] = (uint32_t)d;
        t[3] = (uint32_t)(d >> 32);
        z[0] = (uint32_t)(a >> 32);
        z[1] = (uint32_t)b;
        z[2] = (uint32_t)(b >> 32);
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++) {
            x = t[i] + (((x ^ d0) + d1) ^ d2);
            s[i] = z[i] + rotl32(abc_filter(tables, x), 16);
        }
        a = c;
        b = d;
        if (length < 16) break;
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++) store_le32(out + 4 * i, load_le32(in + 4 * i) ^ s[i]);
    }
    for (int i = 0; i < 4; i++) store_le32(pad + 4 * i, s[i]);
    xor_bytes(out, in, pad, length);
}

#include "api.h"
