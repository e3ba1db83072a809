/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SFLASH_EXT_PLANES_H
#define SFLASH_EXT_PLANES_H

/* Products and powers in L on vectors of bytes, whatever vectors the machine has,
 * bit by bit of the one factor's coordinates. */

#include "element.h"
#include "frobenius_tables.h"

#define WIDTH 96 /* at least PRODUCT */

typedef uint64_t wide __attribute__((vector_size(32)));

/* a b: for each bit of b's coordinates the sum of a times the powers of Y that
 * have it; then these sums times their powers of X. */
static void ext_mul(uint8_t out[N], const uint8_t a[N], const uint8_t b[N])
{
    uint8_t shifted[N + WIDTH] = {0}, product[WIDTH] = {0}, plane[WIDTH];
    wide sum[7][WIDTH / 32] = {{{0}}};
    memcpy(shifted + N, a, N);
    for (int j = 0; j < N; j++) {
        wide v[WIDTH / 32];
        memcpy(v, shifted + N - j, WIDTH);
        for (int bit = 0; bit < 7; bit++) {
            uint64_t has = 0 - (uint64_t)(b[j] >> bit & 1);
            const wide mask = {has, has, has, has};
            for (int i = 0; i < WIDTH / 32; i++) sum[bit][i] ^= v[i] & mask;
        }
    }
    for (int bit = 6; bit >= 0; bit--) { /* 7 bits times X: X^7 = X + 1 */
        memcpy(plane, sum[bit], WIDTH);
        for (int i = 0; i < WIDTH; i++)
            product[i] = (uint8_t)(product[i] << 1 & 127) ^ (uint8_t)((product[i] >> 6) * 3) ^ plane[i];
    }
    reduce(out, product);
}

static const struct frobenius *frobenius_of(int times)
{
    switch (times) {
    case 1: return &frobenius_1;
    case 2: return &frobenius_2;
    case 4: return &frobenius_4;
    case 5: return &frobenius_5;
    case 9: return &frobenius_9;
    case 18: return &frobenius_18;
    case 36: return &frobenius_36;
    case 77: return &frobenius_77;
    case 91: return &frobenius_91;
    case 154: return &frobenius_154;
    case 203: return &frobenius_203;
    default: return &frobenius_258;
    }
}

/* out = a^(2^times): the coordinates' powers, and each times a power of Y, whose
 * bits stand in eight masks a block. */
static void ext_square(uint8_t out[N], const uint8_t a[N], int times)
{
    const struct frobenius *f = frobenius_of(times);
    uint8_t powers[40] = {0}, sum[40] = {0}, bits[40];
    memcpy(powers, a, N);
    for (int i = times % 7; i > 0; i--)
        for (int j = 0; j < N; j++) powers[j] = mul(powers[j], powers[j]);
    for (int block = 0; block < 5; block++) {
        for (int i = 0; i < 5; i++) store_le64(bits + 8 * i, f->block[block][i]);
        for (int t = 0; t < 8; t++) {
            const uint8_t c = powers[8 * block + 7 - t];
            for (int i = 0; i < 40; i++) sum[i] ^= c & (uint8_t)(0 - (bits[i] >> t & 1));
        }
    }
    memcpy(out, sum, N);
}

#endif
