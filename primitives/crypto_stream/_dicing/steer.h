/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef DICING_STEER_H
#define DICING_STEER_H

/* The two registers of DICING P2 that clock the others, four blocks at once.
 * The byte that leaves a1 comes back at X^92 or below, so it takes four steps of
 * X^8 until it could meet the byte about to leave at X^119: four steps are one
 * multiplication by X^32, and the four bytes of both registers are the 32 bits
 * on top.  The same holds for a2 (X^90 and X^118). */

#include <stdint.h>

/* Advances a1 and a2 (128 bits, low half first) by four blocks; returns d for
 * them, that of the first block in the highest byte. */
static inline uint32_t dicing_steer(uint64_t *a1, uint64_t *a2)
{
    uint64_t o1 = a1[1] >> 31, z1 = o1 ^ o1 << 3;
    uint64_t o2 = a2[1] >> 30, z2 = o2 ^ o2 << 7;
    a1[1] = ((a1[1] << 32 | a1[0] >> 32) & UINT64_MAX >> 1) ^ z1 << 25 ^ z1 >> 23;
    a1[0] = a1[0] << 32 ^ z1 ^ z1 << 41;
    a2[1] = ((a2[1] << 32 | a2[0] >> 32) & UINT64_MAX >> 2) ^ z2 << 19 ^ z2 >> 29;
    a2[0] = a2[0] << 32 ^ z2 ^ z2 << 35;
    return (uint32_t)(o1 ^ o2);
}

/* The same for one block. */
static inline uint32_t dicing_steer_once(uint64_t *a1, uint64_t *a2)
{
    uint64_t o1 = a1[1] >> 55, z1 = o1 ^ o1 << 3;
    uint64_t o2 = a2[1] >> 54, z2 = o2 ^ o2 << 7;
    a1[1] = ((a1[1] << 8 | a1[0] >> 56) & UINT64_MAX >> 1) ^ z1 << 25;
    a1[0] = a1[0] << 8 ^ z1 ^ z1 << 41;
    a2[1] = ((a2[1] << 8 | a2[0] >> 56) & UINT64_MAX >> 2) ^ z2 << 19;
    a2[0] = a2[0] << 8 ^ z2 ^ z2 << 35;
    return (uint32_t)(o1 ^ o2);
}

#endif
