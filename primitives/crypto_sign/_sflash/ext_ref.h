/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SFLASH_EXT_REF_H
#define SFLASH_EXT_REF_H

/* Products and squares in L as one writes them. */

#include "element.h"

static void ext_mul(uint8_t out[N], const uint8_t a[N], const uint8_t b[N])
{
    uint8_t product[PRODUCT] = {0};
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) product[i + j] ^= mul(a[i], b[j]);
    reduce(out, product);
}

/* out = a^(2^times) */
static void ext_square(uint8_t out[N], const uint8_t a[N], int times)
{
    memmove(out, a, N);
    while (times-- > 0) {
        uint8_t product[PRODUCT] = {0};
        for (int i = 0; i < N; i++) product[2 * i] = mul(out[i], out[i]);
        reduce(out, product);
    }
}

#endif
