/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ML_DSA_ENCODE_H
#define ML_DSA_ENCODE_H

/* Polynomials and hints as bytes: FIPS 204, section 7.1.  d is always a constant. */

#include <string.h>

#include "field.h"
#include "packed.h"

#define ENCODE_INLINE static inline __attribute__((always_inline))

/* BitPack, algorithm 17: top - c in d bits. */
ENCODE_INLINE void poly_pack(uint8_t *out, const poly *p, int32_t top, unsigned d)
{
    for (unsigned i = 0; i < 256; i += 8, out += d) {
        uint32_t value[8];
        for (unsigned j = 0; j < 8; j++) value[j] = (uint32_t)(top - p->c[i + j]);
        pack_eight(out, value, d);
    }
}

/* BitUnpack, algorithm 19. */
ENCODE_INLINE void poly_unpack(poly *p, const uint8_t *in, int32_t top, unsigned d)
{
    for (unsigned i = 0; i < 256; i += 8, in += d) {
        uint32_t value[8];
        unpack_eight(value, in, d);
        for (unsigned j = 0; j < 8; j++) p->c[i + j] = top - (int32_t)value[j];
    }
}

/* SimpleBitPack, algorithm 16: c in d bits. */
ENCODE_INLINE void poly_pack_simple(uint8_t *out, const poly *p, unsigned d)
{
    for (unsigned i = 0; i < 256; i += 8, out += d) {
        uint32_t value[8];
        for (unsigned j = 0; j < 8; j++) value[j] = (uint32_t)p->c[i + j];
        pack_eight(out, value, d);
    }
}

/* SimpleBitUnpack, algorithm 18, of t1, and times 2^13: below q. */
static void unpack_t1(poly *p, const uint8_t *in)
{
    for (unsigned i = 0; i < 256; i += 8, in += BITS_T1) {
        uint32_t value[8];
        unpack_eight(value, in, BITS_T1);
        for (unsigned j = 0; j < 8; j++) p->c[i + j] = (int32_t)(value[j] << DSA_D);
    }
}

/* HintBitPack, algorithm 20, of at most OMEGA ones. */
static void pack_hint(uint8_t out[DSA_OMEGA + DSA_K], uint8_t hint[DSA_K][256])
{
    unsigned index = 0;

    memset(out, 0, DSA_OMEGA + DSA_K);
    for (unsigned i = 0; i < DSA_K; i++) {
        for (unsigned j = 0; j < 256; j++)
            if (hint[i][j]) out[index++] = (uint8_t)j;
        out[DSA_OMEGA + i] = (uint8_t)index;
    }
}

/* HintBitUnpack, algorithm 21; -1 for what HintBitPack does not make. */
static int unpack_hint(uint8_t hint[DSA_K][256], const uint8_t in[DSA_OMEGA + DSA_K])
{
    unsigned index = 0;

    memset(hint, 0, DSA_K * 256);
    for (unsigned i = 0; i < DSA_K; i++) {
        const unsigned first = index, end = in[DSA_OMEGA + i];
        if (end < first || end > DSA_OMEGA) return -1;
        for (; index < end; index++) {
            if (index > first && in[index - 1] >= in[index]) return -1;
            hint[i][in[index]] = 1;
        }
    }
    for (; index < DSA_OMEGA; index++)
        if (in[index]) return -1;
    return 0;
}

#endif
