/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ML_KEM_ENCODE_H
#define ML_KEM_ENCODE_H

/* Polynomials as bytes, and with fewer bits: FIPS 203, section 4.2.1.  d is always a
 * constant; with it known, compilers leave nothing of the loops but shifts. */

#include "field.h"
#include "packed.h"

#define ENCODE_INLINE static inline __attribute__((always_inline))

/* Compress_d of (4.7).  The quotient by q is a product with 2^36/q, rounded up: exact for
 * numerators below 2^36/(q 20642679 - 2^36) = 2^25, and they are below 2^23. */
ENCODE_INLINE uint16_t compress(int16_t x, unsigned d)
{
    const uint32_t numerator = ((uint32_t)fq_canonical(x) << d) + Q / 2;
    return (uint16_t)((uint32_t)(numerator * (uint64_t)20642679 >> 36) & ((1u << d) - 1));
}

/* Decompress_d of (4.8). */
ENCODE_INLINE int16_t decompress(unsigned y, unsigned d)
{
    return (int16_t)((y * Q + (1u << (d - 1))) >> d);
}

/* ByteEncode_d(Compress_d(p)), algorithm 5; d = 12 does not compress.  Sizes below q. */
ENCODE_INLINE void poly_encode(uint8_t *out, const poly *p, unsigned d)
{
    for (unsigned i = 0; i < 256; i += 8, out += d) {
        uint32_t value[8];
        for (unsigned j = 0; j < 8; j++)
            value[j] = d == 12 ? fq_canonical(p->c[i + j]) : compress(p->c[i + j], d);
        pack_eight(out, value, d);
    }
}

/* Decompress_d(ByteDecode_d(in)), algorithm 6; sizes at most q/2 for d = 12, below q otherwise. */
ENCODE_INLINE void poly_decode(poly *p, const uint8_t *in, unsigned d)
{
    for (unsigned i = 0; i < 256; i += 8, in += d) {
        uint32_t value[8];
        unpack_eight(value, in, d);
        for (unsigned j = 0; j < 8; j++)
            p->c[i + j] = d == 12 ? fq_reduce((int16_t)value[j]) : decompress(value[j], d);
    }
}

/* The modulus check of section 7.2: whether all of a public key's coefficients are below q. */
static int is_canonical(const uint8_t *in)
{
    unsigned greater = 0;

    for (unsigned i = 0; i < 256; i += 8, in += 12) {
        uint32_t value[8];
        unpack_eight(value, in, 12);
        for (unsigned j = 0; j < 8; j++) greater |= (unsigned)(Q - 1 - value[j]) >> 31;
    }
    return !greater;
}

#endif
