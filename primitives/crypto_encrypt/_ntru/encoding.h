/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef NTRU_ENCODING_H
#define NTRU_ENCODING_H

/* Ring elements and lists of exponents as bytes: one byte a number where all fit
 * into one, two in big-endian order otherwise.  Reading answers -1 where a number
 * is out of range, so that every element has one encoding only. */

#include "bytes.h"

#define NTRU_NUMBER_BYTES (NTRU_Q < 256 ? 1 : 2)
#define NTRU_INDEX_BYTES (NTRU_N < 256 ? 1u : 2u)
#define NTRU_ELEMENT_BYTES (NTRU_NUMBER_BYTES * NTRU_N)
#define NTRU_BITS_BYTES ((NTRU_N + 7) / 8)

static inline uint16_t ntru_get16(const unsigned char *in)
{
    uint16_t x;

    memcpy(&x, in, 2);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    x = (uint16_t)(x << 8 | x >> 8);
#endif
    return x;
}

static inline void ntru_put16(unsigned char *out, uint16_t x)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    x = (uint16_t)(x << 8 | x >> 8);
#endif
    memcpy(out, &x, 2);
}

static inline void ntru_put(unsigned char *out, const uint16_t *x, unsigned count,
                            int bytes)
{
    for (unsigned i = 0; i < count; i++) {
        if (bytes == 1)
            out[i] = (unsigned char)x[i];
        else
            ntru_put16(out + 2 * i, x[i]);
    }
}

static inline int ntru_get(uint16_t *x, const unsigned char *in, unsigned count,
                           int bytes, uint16_t limit)
{
    uint16_t most = 0;

    for (unsigned i = 0; i < count; i++) {
        x[i] = bytes == 1 ? in[i] : ntru_get16(in + 2 * i);
        most = x[i] > most ? x[i] : most;
    }
    return most < limit ? 0 : -1;
}

static inline void ntru_put_element(unsigned char *out, const ring_element *a)
{
    ntru_put(out, a->c, NTRU_N, NTRU_NUMBER_BYTES);
}

static inline int ntru_get_element(ring_element *a, const unsigned char *in)
{
    return ntru_get(a->c, in, NTRU_N, NTRU_NUMBER_BYTES, NTRU_Q);
}

static inline void ntru_put_indices(unsigned char *out, const uint16_t *list,
                                    unsigned count)
{
    ntru_put(out, list, count, NTRU_INDEX_BYTES);
}

static inline int ntru_get_indices(uint16_t *list, unsigned count,
                                   const unsigned char *in)
{
    return ntru_get(list, in, count, NTRU_INDEX_BYTES, NTRU_N);
}

#endif
