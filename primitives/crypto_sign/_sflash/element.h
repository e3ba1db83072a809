/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SFLASH_ELEMENT_H
#define SFLASH_ELEMENT_H

/* A product in K = GF(2)[X]/(X^7 + X + 1), and Y^37 = Y^12 + Y^10 + Y^2 + 1. */

#include "sflash.h"

#define PRODUCT (2 * N - 1)

static inline uint8_t mul(uint8_t a, uint8_t b)
{
    unsigned r = 0;
    for (int i = 0; i < 7; i++) r ^= ((unsigned)a << i) & (0u - (b >> i & 1u));
    return (uint8_t)((r & 127) ^ r >> 7 ^ r >> 7 << 1); /* X^7 = X + 1 */
}

static void reduce(uint8_t out[N], uint8_t product[PRODUCT])
{
    for (int i = PRODUCT - 1; i >= N; i--) {
        uint8_t c = product[i];
        product[i - 37] ^= c;
        product[i - 35] ^= c;
        product[i - 27] ^= c;
        product[i - 25] ^= c;
    }
    memcpy(out, product, N);
}

#endif
