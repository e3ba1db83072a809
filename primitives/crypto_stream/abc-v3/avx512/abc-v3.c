/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* vpermd looks up sixteen words among sixteen: eight windows of four bits. */

#include "crypto_stream.h"

#include <immintrin.h>

#include "../../_abc/tables.h"

#define LANES 16

static inline void abc_lanes(uint8_t *out, const uint8_t *in, const uint32_t *x,
                             const uint32_t *z, const abc_tables *tables)
{
    __m512i v = _mm512_loadu_si512(x), sum = _mm512_setzero_si512();
#pragma GCC unroll 8
    for (int w = 0; w < ABC_TABLES; w++) {
        __m512i t = _mm512_load_si512(tables->t[w]);
        __m512i at = _mm512_srli_epi32(v, ABC_WINDOW * w);
        sum = _mm512_add_epi32(sum, _mm512_permutexvar_epi32(at, t));
    }
    sum = _mm512_add_epi32(_mm512_loadu_si512(z), _mm512_rol_epi32(sum, 16));
    _mm512_storeu_si512(out, _mm512_xor_si512(sum, _mm512_loadu_si512(in)));
}

#include "../../_abc/lanes.h"
