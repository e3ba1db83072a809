/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define SMALL_HASH_NI 1
#include "../../_sflash/sflash.h"

#include "../../_sflash/field_gfni.h"
#include "../../_sflash/keypair_gfni.h"

/* a^(2^times) b */
static inline vec power_mul(vec a, const struct frobenius *times, vec b)
{
    return ext_mul(power(a, times), b);
}

/* b^(1 / (Q + 1)) with Q = 128^11 = 2^77.  Since Q^37 = 1 in exponents, twice the
 * inverse of Q + 1 is 1 - Q + Q^2 - ... + Q^36, which is
 * 1 + Q (Q - 1) (1 + Q^2 + ... + Q^34); and halving is squaring 258 times. */
static vec central_inverse(vec b)
{
    vec ones2 = power_mul(b, &frobenius_1, b);
    vec ones4 = power_mul(ones2, &frobenius_2, ones2); /* b^(2^4 - 1) */
    vec ones5 = power_mul(ones4, &frobenius_1, b);
    vec r = power_mul(ones5, &frobenius_4, ones4);
    vec three;
    r = power_mul(r, &frobenius_9, r);
    r = power_mul(r, &frobenius_18, r);
    r = power_mul(r, &frobenius_36, r);
    r = power_mul(r, &frobenius_5, ones5); /* b^(Q - 1) */
    three = power_mul(r, &frobenius_154, r);
    three = power_mul(three, &frobenius_154, r); /* of eighteen powers of Q^2 */
    r = power_mul(three, &frobenius_203, three);
    r = power_mul(r, &frobenius_203, three); /* Q^6 is 2^203 */
    r = power_mul(r, &frobenius_91, r);      /* Q^18 is 2^91 */
    r = power_mul(r, &frobenius_77, b);
    return power(r, &frobenius_258);
}

/* (y + affine) * inverse of one of the two maps of a secret key, whose bytes
 * alternate: whole rows of both are taken times y, and every other byte kept. */
static vec unmap(vec y, const uint8_t *sk, int which)
{
    const vec zero = _mm512_setzero_si512();
    uint8_t affine[64] = {0};
    struct matrices m;
    vec low[2] = {zero, zero}, high[2] = {zero, zero};
    __m256i first;
    for (int j = 0; j < N; j++) affine[j] = sk[SECRET_ROW * j + which];
    matrices_of(&m, _mm512_xor_si512(y, _mm512_loadu_si512(affine)));
    for (int j = 0; j < N; j++) {
        const uint8_t *row = sk + SECRET_ROW * j + 2;
        low[j % 2] = _mm512_xor_si512(low[j % 2], AFFINE(_mm512_loadu_si512(row), matrix(&m, j)));
        high[j % 2] = _mm512_xor_si512(high[j % 2], AFFINE(_mm512_maskz_loadu_epi8(0x3ff, row + 64), matrix(&m, j)));
    }
    low[0] = _mm512_srli_epi16(_mm512_xor_si512(low[0], low[1]), 8 * (unsigned)which);
    high[0] = _mm512_srli_epi16(_mm512_xor_si512(high[0], high[1]), 8 * (unsigned)which);
    first = _mm512_cvtepi16_epi8(low[0]);
    return _mm512_inserti64x4(_mm512_castsi256_si512(first), _mm512_cvtepi16_epi8(high[0]), 1);
}

static void preimage(uint8_t x[N], const uint8_t y[N], const uint8_t *sk)
{
    store37(x, unmap(central_inverse(unmap(load37(y), sk, 1)), sk, 0));
}

/* ---- verification ----------------------------------------------------- */

#define CHUNKS 12 /* of 64 terms */

/* All terms at x in an equation's order, as masks: byte q of each eight says
 * which of the next eight terms have bit q. */
static void terms_at(vec masks[CHUNKS], const uint8_t x[N])
{
    const vec transpose = _mm512_set1_epi64((long long)0x8040201008040201);
    uint8_t at[192] = {0}, terms[64 * CHUNKS + 64] = {0};
    uint8_t *next = terms;
    struct matrices m;
    memcpy(at + 64, x, N);
    matrices_of(&m, load37(x));
    *next++ = 1;
    for (int j = 0; j < N; j++) { /* x_j times 1, x_j, x_j+1, ... and zeros, which the next row overwrites */
        vec factors = _mm512_mask_mov_epi8(_mm512_loadu_si512(at + 63 + j), 1, _mm512_set1_epi8(1));
        _mm512_storeu_si512(next, AFFINE(factors, matrix(&m, j)));
        next += N - j + 1;
    }
    for (int i = 0; i < CHUNKS; i++) masks[i] = AFFINE(transpose, _mm512_loadu_si512(terms + 64 * i));
}

/* Eight sums, byte q of each the sum of an equation's coefficients whose term has
 * bit q, in eight lanes each: adds up the lanes. */
static inline vec add_lanes(const vec s[8])
{
    vec pair[4], four[2];
    for (int i = 0; i < 4; i++)
        pair[i] = _mm512_xor_si512(_mm512_unpacklo_epi64(s[2 * i], s[2 * i + 1]),
                                   _mm512_unpackhi_epi64(s[2 * i], s[2 * i + 1]));
    for (int i = 0; i < 2; i++)
        four[i] = _mm512_xor_si512(_mm512_shuffle_i64x2(pair[2 * i], pair[2 * i + 1], 0x88),
                                   _mm512_shuffle_i64x2(pair[2 * i], pair[2 * i + 1], 0xdd));
    return _mm512_xor_si512(_mm512_shuffle_i64x2(four[0], four[1], 0x88),
                            _mm512_shuffle_i64x2(four[0], four[1], 0xdd));
}

static inline vec equation(const uint8_t *pk, const vec masks[CHUNKS])
{
    const vec transpose = _mm512_set1_epi64(0x0102040810204080);
    vec sum[2] = {_mm512_setzero_si512(), _mm512_setzero_si512()};
    for (int c = 0; c < CHUNKS; c += 2) {
        vec even = _mm512_loadu_si512(pk + 64 * c), odd;
        odd = c + 2 < CHUNKS ? _mm512_loadu_si512(pk + 64 * c + 64)
                             : _mm512_maskz_loadu_epi8((UINT64_C(1) << (TERMS % 64)) - 1, pk + 64 * c + 64);
        sum[0] = _mm512_xor_si512(sum[0], AFFINE(masks[c], AFFINE(transpose, even)));
        sum[1] = _mm512_xor_si512(sum[1], AFFINE(masks[c + 1], AFFINE(transpose, odd)));
    }
    return _mm512_xor_si512(sum[0], sum[1]);
}

/* Byte i is equation i's value: the sum of X^q times byte q of its eight. */
static __m256i weighted(const vec eights[4])
{
    /* Lane q multiplies by X^q. */
    const vec powers = _mm512_set_epi64(0, 0x2060c1830604100, 0x40c183060410200, 0x818306041020400, 0x1030604102040800,
                                        0x2060410204081000, 0x4041020408102000, 0x102040810204000);
    const vec by_bytes = _mm512_set_epi64(0x3f372f271f170f07, 0x3e362e261e160e06, 0x3d352d251d150d05, 0x3c342c241c140c04,
                                          0x3b332b231b130b03, 0x3a322a221a120a02, 0x3931292119110901, 0x3830282018100800);
    vec v[4], pair[2], r;
    for (int i = 0; i < 4; i++) v[i] = AFFINE(_mm512_permutexvar_epi8(by_bytes, eights[i]), powers);
    for (int i = 0; i < 2; i++)
        pair[i] = _mm512_xor_si512(_mm512_unpacklo_epi64(v[2 * i], v[2 * i + 1]),
                                   _mm512_unpackhi_epi64(v[2 * i], v[2 * i + 1]));
    r = _mm512_xor_si512(_mm512_shuffle_i64x2(pair[0], pair[1], 0x88), _mm512_shuffle_i64x2(pair[0], pair[1], 0xdd));
    r = _mm512_xor_si512(_mm512_shuffle_i64x2(r, r, 0x08), _mm512_shuffle_i64x2(r, r, 0x0d));
    return _mm512_castsi512_si256(r);
}

static int solves(const uint8_t *pk, const uint8_t x[N], const uint8_t y[PUBLISHED])
{
    vec masks[CHUNKS], eights[4];
    uint8_t wanted[32] = {0};
    __m256i differs;
    terms_at(masks, x);
    for (int i = 0; i < 4; i++) {
        vec sums[8];
        for (int j = 0; j < 8; j++)
            sums[j] = 8 * i + j < PUBLISHED ? equation(pk + TERMS * (8 * i + j), masks) : _mm512_setzero_si512();
        eights[i] = add_lanes(sums);
    }
    memcpy(wanted, y, PUBLISHED);
    differs = _mm256_xor_si256(weighted(eights), _mm256_loadu_si256((const __m256i *)wanted));
    return _mm256_testz_si256(differs, differs);
}

#include "../../_sflash/api.h"
