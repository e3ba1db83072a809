/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* ABC v3 with the filter in vectors.  x is a serial chain, but S(x) is not: so
 * a batch of steps is made in scalars, its x and z go to memory, and the filter
 * is computed for LANES values of x at once, each window by one permute that
 * looks up LANES entries in a register.  While that runs the processor is
 * already on the chain of the next batch.
 *
 * The includer defines LANES and
 *   static inline void abc_lanes(uint8_t *out, const uint8_t *in,
 *       const uint32_t *x, const uint32_t *z, const abc_tables *tables);
 * out = in ^ (z + (S(x) <<< 16)), for LANES words. */

#define BATCH 32

static void abc_xor(abc_registers *r, const abc_tables *tables, uint8_t *out,
                    const uint8_t *in, uint64_t length)
{
    _Alignas(64) uint32_t x[BATCH], z[BATCH + 4];
    uint8_t pad[4 * LANES];
    uint32_t y = r->x, d0 = r->d[0], d1 = r->d[1], d2 = r->d[2];
    uint64_t a = r->z[0] | (uint64_t)r->z[1] << 32;
    uint64_t b = r->z[2] | (uint64_t)r->z[3] << 32;
    memset(x, 0, sizeof x);
    memset(z, 0, sizeof z);
    while (length > 0) {
        uint64_t n = length < 4 * BATCH ? length : 4 * BATCH;
        length -= n;
        for (int i = 0; 4 * (uint64_t)i < n; i += 4) {
            memcpy(z + i, &a, 8);
            memcpy(z + i + 2, &b, 8);
            a = b ^ a >> 1 ^ b << 63;
            b = a ^ b >> 1 ^ a << 63;
            x[i] = y = (uint32_t)a + (((y ^ d0) + d1) ^ d2);
            x[i + 1] = y = (uint32_t)(a >> 32) + (((y ^ d0) + d1) ^ d2);
            x[i + 2] = y = (uint32_t)b + (((y ^ d0) + d1) ^ d2);
            x[i + 3] = y = (uint32_t)(b >> 32) + (((y ^ d0) + d1) ^ d2);
            memcpy(z + i + 4, &a, 8);   /* the last word of the batch needs it */
        }
        const uint32_t *xi = x, *zi = z + 1;
        for (; n >= 4 * LANES; n -= 4 * LANES, xi += LANES, zi += LANES) {
            abc_lanes(out, in, xi, zi, tables);
            out += 4 * LANES;
            in += 4 * LANES;
        }
        if (n > 0) {
            memset(pad, 0, sizeof pad);
            abc_lanes(pad, pad, xi, zi, tables);
            xor_bytes(out, in, pad, n);
        }
    }
}

#include "api.h"
