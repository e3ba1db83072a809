/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef PHELIX_H
#define PHELIX_H

/* What the implementations of Phelix share: the two half-block functions on
 * five variables of the caller, and the key setup for 32-byte keys. */

#include "bytes.h"

#define PHELIX_H0(z0, z1, z2, z3, z4, w)                                       \
    do {                                                                       \
        (z0) += (z3) ^ (w);                                                    \
        (z3) = rotl32(z3, 15);                                                 \
        (z1) += (z4);                                                          \
        (z4) = rotl32(z4, 25);                                                 \
        (z2) ^= (z0);                                                          \
        (z0) = rotl32(z0, 9);                                                  \
        (z3) ^= (z1);                                                          \
        (z1) = rotl32(z1, 10);                                                 \
        (z4) += (z2);                                                          \
        (z2) = rotl32(z2, 17);                                                 \
    } while (0)

#define PHELIX_H1(z0, z1, z2, z3, z4, w)                                       \
    do {                                                                       \
        (z0) ^= (z3) + (w);                                                    \
        (z3) = rotl32(z3, 30);                                                 \
        (z1) ^= (z4);                                                          \
        (z4) = rotl32(z4, 13);                                                 \
        (z2) += (z0);                                                          \
        (z0) = rotl32(z0, 20);                                                 \
        (z3) += (z1);                                                          \
        (z1) = rotl32(z1, 11);                                                 \
        (z4) ^= (z2);                                                          \
        (z2) = rotl32(z2, 5);                                                  \
    } while (0)

#define PHELIX_KEYBYTES 32
#define PHELIX_BUMP (4 * PHELIX_KEYBYTES + 256 * (128 % 128)) /* 128-bit tag */
#define PHELIX_AD 0xaadaadaau  /* before and after the associated data */
#define PHELIX_TAG 0x912d94f1u /* before the tag */

static inline void phelix_expandkey(uint32_t *x, const uint8_t *key)
{
    for (int i = 0; i < 8; i++) x[i] = load_le32(key + 4 * i);
    for (int r = 0; r < 8; r++) {
        const uint32_t *y = x + 4 * (r % 2);
        uint32_t *z = x + 4 - 4 * (r % 2);
        uint32_t z0 = y[0], z1 = y[1], z2 = y[2], z3 = y[3];
        uint32_t z4 = PHELIX_KEYBYTES + 64;
        PHELIX_H0(z0, z1, z2, z3, z4, 0);
        PHELIX_H1(z0, z1, z2, z3, z4, 0);
        PHELIX_H0(z0, z1, z2, z3, z4, 0);
        PHELIX_H1(z0, z1, z2, z3, z4, 0);
        z[0] ^= z0;
        z[1] ^= z1;
        z[2] ^= z2;
        z[3] ^= z3;
    }
}

#endif
