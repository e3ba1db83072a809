/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SFLASH_FIELD_GFNI_H
#define SFLASH_FIELD_GFNI_H

/* K and L of SFLASHv2 on 64-byte vectors.  VGF2P8AFFINEQB multiplies each byte
 * of eight by one 8 x 8 matrix of bits, so
 *
 *   - by the matrix of an element it multiplies eight, or all, bytes in K;
 *   - with one side constant it transposes eight bytes' bits;
 *   - with both transposed it sums eight products bit by bit.
 *
 * An element of L is one vector: bytes 0..36 its coordinates, the rest 0.  No
 * branch and no address depends on a value. */

#include <immintrin.h>

#include "frobenius_tables.h"

typedef __m512i vec;

#define AFFINE(x, matrix) _mm512_gf2p8affine_epi64_epi8((x), (matrix), 0)
#define LOW37 ((UINT64_C(1) << N) - 1)

/* The matrices of 40 elements: matrix->of[i] multiplies by the i-th. */
struct matrices {
    _Alignas(64) uint64_t of[40];
};

/* Lane r of `rows` takes an element to byte r of its matrix. */
static inline void matrices_of(struct matrices *m, vec elements)
{
    const vec rows = _mm512_set_epi64(0x0140201008040200, 0x02416030180c0600, 0x0402416030180c00, 0x0804024160301800,
                                      0x1008040241603000, 0x2010080402416000, 0x4020100804024100, 0);
    const vec lanes = _mm512_set_epi64(0x3830282018100800 + 0x0707070707070707, 0x3830282018100800 + 0x0606060606060606,
                                       0x3830282018100800 + 0x0505050505050505, 0x3830282018100800 + 0x0404040404040404,
                                       0x3830282018100800 + 0x0303030303030303, 0x3830282018100800 + 0x0202020202020202,
                                       0x3830282018100800 + 0x0101010101010101, 0x3830282018100800);
    for (int i = 0; i < 5; i++) {
        vec eight = _mm512_permutexvar_epi64(_mm512_set1_epi64(i), elements);
        _mm512_store_si512(m->of + 8 * i, _mm512_permutexvar_epi8(lanes, AFFINE(eight, rows)));
    }
}

static inline vec matrix(const struct matrices *m, int i)
{
    vec r = _mm512_set1_epi64((long long)m->of[i]);
#ifdef __clang__
    /* Clang 14 encodes a wrong displacement when it makes the broadcast a memory
     * operand of VGF2P8AFFINEQB; so it must not. */
    __asm__("" : "+v"(r));
#endif
    return r;
}

static inline vec xor3(vec a, vec b, vec c)
{
    return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}

/* Bytes i of the result are bytes i - up of v, modulo 64. */
static inline vec rotated(vec v, int up)
{
    const vec in_order = _mm512_set_epi64(0x3f3e3d3c3b3a3938, 0x3736353433323130, 0x2f2e2d2c2b2a2928, 0x2726252423222120,
                                          0x1f1e1d1c1b1a1918, 0x1716151413121110, 0x0f0e0d0c0b0a0908, 0x0706050403020100);
    return _mm512_permutexvar_epi8(_mm512_sub_epi8(in_order, _mm512_set1_epi8((char)up)), v);
}

/* The `count` bytes from `from` on of v, moved to `to`; the rest 0. */
static inline vec moved(vec v, int from, int to, int count)
{
    return _mm512_maskz_mov_epi8(((UINT64_C(1) << count) - 1) << to, rotated(v, to - from));
}

/* A product before its reduction: part[u] stands at Y^(8u - 27), so that Y^37 is
 * the first byte of the second of two vectors. */
struct product {
    vec part[5];
};

/* Eight shifts of an element, by 3 to 10 bytes. */
struct shifts {
    vec by[8];
};

static inline void shifts_of(struct shifts *s, vec a)
{
    for (int i = 0; i < 8; i++) s->by[i] = rotated(a, i + 3);
}

static inline void add_product(struct product *p, const struct shifts *a, const struct matrices *b)
{
#pragma GCC unroll 5
    for (int u = 0; u < 5; u++) {
        vec even = p->part[u];
        if (u == 4) {
            vec last = _mm512_xor_si512(even, AFFINE(a->by[4], matrix(b, 36)));
            even = xor3(last, AFFINE(a->by[0], matrix(b, 32)), AFFINE(a->by[1], matrix(b, 33)));
            p->part[u] = xor3(even, AFFINE(a->by[2], matrix(b, 34)), AFFINE(a->by[3], matrix(b, 35)));
            continue;
        }
#pragma GCC unroll 4
        for (int v = 0; v < 8; v += 2)
            even = xor3(even, AFFINE(a->by[v], matrix(b, 8 * u + v)), AFFINE(a->by[v + 1], matrix(b, 8 * u + v + 1)));
        p->part[u] = even;
    }
}

static inline vec reduced(const struct product *p)
{
    const vec zero = _mm512_setzero_si512();
    vec low = xor3(_mm512_alignr_epi64(p->part[0], zero, 5), _mm512_alignr_epi64(p->part[1], zero, 4),
                   _mm512_alignr_epi64(p->part[2], zero, 3));
    vec high = xor3(_mm512_alignr_epi64(zero, p->part[0], 5), _mm512_alignr_epi64(zero, p->part[1], 4),
                    _mm512_alignr_epi64(zero, p->part[2], 3));
    vec r;
    low = xor3(low, _mm512_alignr_epi64(p->part[3], zero, 2), _mm512_alignr_epi64(p->part[4], zero, 1));
    high = xor3(high, _mm512_alignr_epi64(zero, p->part[3], 2), _mm512_alignr_epi64(zero, p->part[4], 1));
    /* Y^37 = Y^12 + Y^10 + Y^2 + 1, for 36 coordinates and then for 11. */
    r = xor3(moved(low, 27, 0, N), high, rotated(high, 2));
    r = xor3(r, rotated(high, 10), rotated(high, 12));
    high = xor3(moved(r, 37, 0, 11), moved(r, 37, 2, 11), moved(r, 37, 10, 11));
    r = xor3(r, high, moved(r, 37, 12, 11));
    return _mm512_maskz_mov_epi8(LOW37, r);
}

static inline vec ext_mul(vec a, vec b)
{
    const vec zero = _mm512_setzero_si512();
    struct product p = {{zero, zero, zero, zero, zero}};
    struct shifts s;
    struct matrices m;
    matrices_of(&m, b);
    shifts_of(&s, a);
    add_product(&p, &s, &m);
    return reduced(&p);
}

/* a^(2^e): the coefficients' power while their bits are transposed, the powers of
 * Y as five times five blocks of bits, and the bits transposed back. */
static inline vec power(vec a, const struct frobenius *f)
{
    const vec back = _mm512_set1_epi64(0x0102040810204080);
    vec planes = AFFINE(_mm512_set1_epi64((long long)f->coefficient), a), r[5];
    for (int j = 0; j < 5; j++) {
        vec block = _mm512_maskz_loadu_epi64(0x1f, f->block[j]);
        r[j] = AFFINE(_mm512_permutexvar_epi64(_mm512_set1_epi64(j), planes), block);
    }
    return AFFINE(back, xor3(xor3(r[0], r[1], r[2]), r[3], r[4]));
}

/* Sums elements[i] times row i. */
static inline vec combination(const struct matrices *elements, const vec *rows, int count)
{
    vec sum[4] = {_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512()};
    int i = 0;
    for (; i + 4 <= count; i += 4)
        for (int j = 0; j < 4; j++)
            sum[j] = _mm512_xor_si512(sum[j], AFFINE(rows[i + j], matrix(elements, i + j)));
    for (; i < count; i++) sum[0] = _mm512_xor_si512(sum[0], AFFINE(rows[i], matrix(elements, i)));
    return _mm512_xor_si512(xor3(sum[0], sum[1], sum[2]), sum[3]);
}

static inline vec load37(const uint8_t *p)
{
    return _mm512_maskz_loadu_epi8(LOW37, p);
}

static inline void store37(uint8_t *p, vec v)
{
    _mm512_mask_storeu_epi8(p, LOW37, v);
}

#endif
