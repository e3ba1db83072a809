/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef DICING_KEY_H
#define DICING_KEY_H

/* What DICING P2 derives from a 256-bit key. */

#include "bytes.h"
#include "tables.h"

typedef struct {
    uint8_t w[8], y[8]; /* the images of the bits under the maps A and B */
    uint8_t c, c1;      /* the diagonal constants */
} dicing_maps;

/* W[i] = U[i] ^ the U[j], j < i, with bit j of a[i] set, where U[i] is
 * triangular: bit i, and the bits of a[i] above it. */
static inline void dicing_map(uint8_t *w, const uint8_t *a)
{
    uint8_t u[8];
    for (int i = 0; i < 8; i++) {
        u[i] = (uint8_t)(1 << i | (a[i] & (0xfe << i)));
        w[i] = u[i];
        for (int j = 0; j < i; j++)
            w[i] ^= (uint8_t)(-(a[i] >> j & 1) & u[j]);
    }
}

static inline void dicing_mapskey(dicing_maps *maps, const uint8_t *key)
{
    uint8_t m[16], f = 0, g = 0;
    for (int i = 0; i < 16; i++) m[i] = key[i] ^ key[16 + i];
    dicing_map(maps->w, m);
    dicing_map(maps->y, m + 8);
    for (int i = 0; i < 8; i++) {
        f |= m[i] & (1 << i);
        g |= m[8 + i] & (1 << i);
    }
    maps->c = f ^ g;
    maps->c1 = (uint8_t)(f ^ (g << 1 | g >> 7));
}

/* The image of v. */
static inline uint8_t dicing_apply(const uint8_t *w, uint8_t v)
{
    uint8_t x = 0;
    for (int k = 0; k < 8; k++) x ^= (uint8_t)(-(v >> k & 1) & w[k]);
    return x;
}

#endif
