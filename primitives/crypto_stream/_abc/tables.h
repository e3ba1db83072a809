/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ABC_TABLES_H
#define ABC_TABLES_H

/* What all table implementations of ABC v3 share: the tables, single steps and
 * warm-up.  The filter S(x) is a sum over the bits of x, so tables of partial
 * sums over windows of ABC_WINDOW bits give it in ABC_TABLES look-ups (ABC v3,
 * section on optimised implementation); the constant term is folded into the
 * first table. */

#include "bytes.h"
#include "key_coefficients.h"

#define ABC_M 0xfffffffc

static void abc_make(abc_tables *tables, const uint32_t *e)
{
    for (int w = 0; w < ABC_TABLES; w++) {
        uint32_t *t = tables->t[w];
        t[0] = w == 0 ? e[32] : 0;
        for (int b = 0; b < ABC_WINDOW; b++) {
            int bit = ABC_WINDOW * w + b, half = 1 << b;
            /* a window past bit 31 repeats itself and is never looked at */
            uint32_t add = bit < 32 ? e[bit] : 0;
            for (int i = 0; i < half; i++) t[half + i] = t[i] + add;
        }
    }
}

static inline uint32_t abc_filter(const abc_tables *tables, uint32_t x)
{
    uint32_t sum = 0;
#pragma GCC unroll 16
    for (int w = 0; w < ABC_TABLES; w++)
        sum += tables->t[w][x >> (ABC_WINDOW * w) & (ABC_ENTRIES - 1)];
    return sum;
}

static inline uint32_t abc_step(abc_registers *r, const abc_tables *tables)
{
    uint32_t t = r->z[2] ^ r->z[1] << 31 ^ r->z[0] >> 1;
    r->z[0] = r->z[1];
    r->z[1] = r->z[2];
    r->z[2] = r->z[3];
    r->z[3] = t;
    r->x = t + (((r->x ^ r->d[0]) + r->d[1]) ^ r->d[2]);
    return r->z[0] + rotl32(abc_filter(tables, r->x), 16);
}

/* Adds the four words of a key or IV at v to the registers; warms them up. */
static void abc_load(abc_registers *r, const uint8_t *v, const abc_tables *tables)
{
    for (int i = 0; i < 4; i++) r->z[i] ^= rotl32(load_le32(v + 4 * i), 16);
    r->z[0] |= 2;
    r->x ^= load_le32(v);
    r->d[0] = (r->d[0] ^ load_le32(v + 12)) & ABC_M;
    r->d[1] = ((r->d[1] ^ load_le32(v + 8)) & ABC_M) | 1;
    r->d[2] = (r->d[2] ^ load_le32(v + 4)) & ABC_M;

    uint32_t w = abc_step(r, tables);
    r->x ^= w;
    r->d[0] = (r->d[0] ^ abc_step(r, tables)) & ABC_M;
    r->d[1] = ((r->d[1] ^ abc_step(r, tables)) & ABC_M) | 1;
    r->d[2] = (r->d[2] ^ abc_step(r, tables)) & ABC_M;
    for (int i = 0; i < 4; i++) {
        w = abc_step(r, tables);
        r->z[2] ^= w;
    }
    r->z[0] |= 2;
}

#endif
