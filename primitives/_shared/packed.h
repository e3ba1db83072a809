/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef PACKED_H
#define PACKED_H

/* Numbers of d bits one behind the other, the lowest bit first: ByteEncode and ByteDecode
 * of FIPS 203, SimpleBitPack and SimpleBitUnpack of FIPS 204.  Eight numbers are d bytes.
 * d is a constant, at most 24; with it known, compilers leave nothing of the loops but shifts. */

#include <stdint.h>

static inline __attribute__((always_inline)) void pack_eight(uint8_t *out, const uint32_t value[8], unsigned d)
{
    uint32_t bits = 0;
    unsigned have = 0;
#pragma GCC unroll 8
    for (unsigned i = 0; i < 8; i++) {
        bits |= value[i] << have;
        for (have += d; have >= 8; have -= 8, bits >>= 8) *out++ = (uint8_t)bits;
    }
}

static inline __attribute__((always_inline)) void unpack_eight(uint32_t value[8], const uint8_t *in, unsigned d)
{
    uint32_t bits = 0;
    unsigned have = 0;
#pragma GCC unroll 8
    for (unsigned i = 0; i < 8; i++) {
        for (; have < d; have += 8) bits |= (uint32_t)*in++ << have;
        value[i] = bits & ((1u << d) - 1);
        bits >>= d;
        have -= d;
    }
}

#endif
