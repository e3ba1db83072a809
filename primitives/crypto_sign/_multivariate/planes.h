/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef MULTIVARIATE_PLANES_H
#define MULTIVARIATE_PLANES_H

/* Quadratic equations over GF(2^BITS), evaluated without multiplying: for each
 * bit of the terms' values, the coefficients whose term has that bit are added
 * up, 32 bytes at a time in whatever vectors the machine has; the BITS sums are
 * then weighed by their powers of X.  Before it is included:
 *
 *   BITS, TERMS, mul(a, b)    the field's, and an equation's number of terms */

#include <stdint.h>
#include <string.h>

typedef uint64_t plane __attribute__((vector_size(32)));

#define CHUNK (sizeof(plane))
#define CHUNKS ((TERMS + CHUNK - 1) / CHUNK)

/* mask[c][b]: 0xff where the term of that byte has bit b. */
struct planes {
    plane mask[CHUNKS][BITS];
};

static void planes_of(struct planes *p, const uint8_t terms[TERMS])
{
    uint8_t bytes[CHUNK];
    for (unsigned c = 0; c < CHUNKS; c++)
        for (unsigned b = 0; b < BITS; b++) {
            for (unsigned i = 0; i < CHUNK; i++) {
                unsigned at = c * CHUNK + i;
                bytes[i] = at < TERMS ? (uint8_t)(0 - (terms[at] >> b & 1)) : 0;
            }
            memcpy(&p->mask[c][b], bytes, CHUNK);
        }
}

static inline uint8_t sum_of_bytes(plane v)
{
    uint64_t r = v[0] ^ v[1] ^ v[2] ^ v[3];
    r ^= r >> 32;
    r ^= r >> 16;
    return (uint8_t)(r ^ r >> 8);
}

static uint8_t equation(const uint8_t coefficients[TERMS], const struct planes *p)
{
    plane sum[BITS] = {{0}}, v;
    uint8_t r = 0;
    for (unsigned c = 0; c < CHUNKS; c++) {
        uint8_t last[CHUNK] = {0};
        if (c + 1 == CHUNKS)
            memcpy(&v, memcpy(last, coefficients + c * CHUNK, TERMS - (CHUNKS - 1) * CHUNK), CHUNK);
        else
            memcpy(&v, coefficients + c * CHUNK, CHUNK);
#pragma GCC unroll 8
        for (unsigned b = 0; b < BITS; b++) sum[b] ^= v & p->mask[c][b];
    }
    for (unsigned b = BITS; b-- > 0;) r = mul(r, 2) ^ sum_of_bytes(sum[b]);
    return r;
}

#endif
