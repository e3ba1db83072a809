/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef NTRU_RING_VECTOR_H
#define NTRU_RING_VECTOR_H

/* The ring of scheme.h on the vectors of avx2.h or avx512.h.
 *
 * A product with a sparse polynomial is a sum of rotations of h: h is written
 * twice in a row, so that each rotation is a run of memory, and a part of the sum
 * stays in registers while all rotations pass. */

#include <string.h>

#define RING_VECTORS ((NTRU_N + VEC_LANES - 1) / VEC_LANES)
#define RING_PADDED (RING_VECTORS * VEC_LANES)
/* As few passes as VEC_SUMS allows, then as few sums in each as these need. */
#define RING_PASSES ((RING_VECTORS + VEC_SUMS - 1) / VEC_SUMS)
#define RING_SUMS ((RING_VECTORS + RING_PASSES - 1) / RING_PASSES)
#define RING_LINE (RING_PASSES * RING_SUMS * VEC_LANES)

typedef struct {
    /* coefficients of X^0, X^1, ...; what the lanes from N on hold is nobody's */
    _Alignas(64) uint16_t c[RING_LINE];
} ring_element;

/* x mod q for x < 2^16, from its quotient by q, at most 1 too small. */
static inline vec v_reduce(vec x)
{
    x = v_sub(x, v_low(v_high(x, v_all(65536 / NTRU_Q)), v_all(NTRU_Q)));
    return v_min(x, v_sub(x, v_all(NTRU_Q)));
}

static inline void ring_multiply_pass(uint16_t *out, const uint16_t *twice,
                                      const uint16_t *list, unsigned count)
{
    vec sum[RING_SUMS];

#pragma GCC unroll 28
    for (int k = 0; k < RING_SUMS; k++) sum[k] = v_all(0);
    while (count > 0) {
        /* what fits into 16 bits beside a reduced sum */
        unsigned n = 65535 / (NTRU_Q - 1) - 1;
        if (n > count) n = count;
        count -= n;
        for (; n > 0; n--) {
            const uint16_t *rotated = twice - *list++;
#pragma GCC unroll 28
            for (int k = 0; k < RING_SUMS; k++)
                sum[k] = v_add(sum[k], v_load(rotated + VEC_LANES * k));
        }
#pragma GCC unroll 28
        for (int k = 0; k < RING_SUMS; k++) sum[k] = v_reduce(sum[k]);
    }
#pragma GCC unroll 28
    for (int k = 0; k < RING_SUMS; k++) v_store(out + VEC_LANES * k, sum[k]);
}

static void ring_multiply(ring_element *out, const ring_element *h,
                          const uint16_t *list, unsigned count)
{
    uint16_t twice[NTRU_N + RING_LINE];

    memcpy(twice, h->c, 2 * NTRU_N);
    memcpy(twice + NTRU_N, h->c, 2 * NTRU_N);
    memset(twice + 2 * NTRU_N, 0, 2 * (RING_LINE - NTRU_N));
    for (int i = 0; i < RING_PASSES; i++) {
        int at = i * RING_SUMS * VEC_LANES;
        ring_multiply_pass(out->c + at, twice + NTRU_N + at, list, count);
    }
}

static void ring_bits(uint8_t *bits, const ring_element *a)
{
    uint8_t all[RING_PADDED / 8];

    for (int k = 0; k < RING_VECTORS; k++) {
        uint32_t m = v_parity(v_load(a->c + VEC_LANES * k));
        for (int j = 0; j < VEC_LANES / 8; j++)
            all[VEC_LANES / 8 * k + j] = (uint8_t)(m >> 8 * j);
    }
    memcpy(bits, all, (NTRU_N + 7) / 8);
    bits[NTRU_N / 8] &= (1 << NTRU_N % 8) - 1;
}

static void ring_add_bits(ring_element *out, const ring_element *a,
                          const uint8_t *bits)
{
    uint8_t all[RING_PADDED / 8] = {0};

    memcpy(all, bits, (NTRU_N + 7) / 8);
    for (int k = 0; k < RING_VECTORS; k++) {
        uint32_t m = 0;
        for (int j = 0; j < VEC_LANES / 8; j++)
            m |= (uint32_t)all[VEC_LANES / 8 * k + j] << 8 * j;
        vec x = v_add(v_load(a->c + VEC_LANES * k), v_bits(m));
        v_store(out->c + VEC_LANES * k, v_min(x, v_sub(x, v_all(NTRU_Q))));
    }
}

static void ring_subtract_parity(ring_element *a, const ring_element *b)
{
    for (int k = 0; k < RING_VECTORS; k++) {
        uint16_t *at = a->c + VEC_LANES * k;
        vec x = v_sub(v_load(at), v_bits(v_parity(v_load(b->c + VEC_LANES * k))));
        v_store(at, v_min(x, v_add(x, v_all(NTRU_Q)))); /* -1 is 65535 */
    }
}

#include "ring_invert.h"

#endif
