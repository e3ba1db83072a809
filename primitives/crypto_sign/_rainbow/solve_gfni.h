/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef RAINBOW_SOLVE_GFNI_H
#define RAINBOW_SOLVE_GFNI_H

/* Gauss and Jordan over field_gfni.h.  A row whose pivot is 0 gets rows below
 * added until it is not; what is done depends on no value but whether a pivot
 * cannot be had: then -1. */

static inline __m128i byte_everywhere(__m128i v, int i)
{
    return _mm_shuffle_epi8(v, _mm_set1_epi8((char)i));
}

/* n rows of n columns and the right side; n is a constant where this is inlined. */
static inline __attribute__((always_inline)) int solve(__m128i rows[MOST_OILS], int n)
{
    const __m128i zero = _mm_setzero_si128(), unit = _mm_set1_epi64x(0x0102040810204080);
    for (int c = 0; c < n; c++) {
        __m128i row = rows[c], pivot;
        for (int r = c + 1; r < n; r++)
            row = _mm_xor_si128(row, _mm_and_si128(rows[r], _mm_cmpeq_epi8(byte_everywhere(row, c), zero)));
        pivot = byte_everywhere(row, c);
        if (_mm_testz_si128(pivot, pivot)) return -1;
        row = _mm_gf2p8mul_epi8(row, _mm_gf2p8affineinv_epi64_epi8(pivot, unit, 0));
        rows[c] = row;
        for (int r = 0; r < n; r++)
            if (r != c) rows[r] = _mm_xor_si128(rows[r], _mm_gf2p8mul_epi8(row, byte_everywhere(rows[r], c)));
    }
    return 0;
}

/* n <= 43 rows of a matrix and of what shall become its inverse. */
static int eliminate(vec left[VARIABLES], vec right[VARIABLES], int n)
{
    const vec unit = _mm512_set1_epi64(0x0102040810204080);
    for (int c = 0; c < n; c++) {
        const vec column = _mm512_set1_epi8((char)c);
        vec pivot;
        for (int r = c + 1; r < n; r++) {
            __mmask64 wanted = _mm512_testn_epi8_mask(_mm512_permutexvar_epi8(column, left[c]), _mm512_set1_epi8(-1));
            left[c] = _mm512_xor_si512(left[c], _mm512_maskz_mov_epi8(wanted, left[r]));
            right[c] = _mm512_xor_si512(right[c], _mm512_maskz_mov_epi8(wanted, right[r]));
        }
        pivot = _mm512_permutexvar_epi8(column, left[c]);
        if (_mm512_test_epi8_mask(pivot, pivot) == 0) return -1;
        pivot = _mm512_gf2p8affineinv_epi64_epi8(pivot, unit, 0);
        left[c] = mul(left[c], pivot);
        right[c] = mul(right[c], pivot);
        for (int r = 0; r < n; r++) {
            vec factor = _mm512_permutexvar_epi8(column, left[r]);
            if (r == c) continue;
            left[r] = _mm512_xor_si512(left[r], mul(left[c], factor));
            right[r] = _mm512_xor_si512(right[r], mul(right[c], factor));
        }
    }
    return 0;
}

static int invert_matrix(uint8_t *inverse, const uint8_t *matrix, int n)
{
    vec left[VARIABLES], right[VARIABLES];
    for (int i = 0; i < n; i++) {
        left[i] = there(load(matrix + n * i, n));
        right[i] = _mm512_maskz_set1_epi8(UINT64_C(1) << i, 1);
    }
    if (eliminate(left, right, n) != 0) return -1;
    for (int i = 0; i < n; i++) store(inverse + n * i, back(right[i]), n);
    return 0;
}

#endif
