/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define SMALL_HASH_NI 1
#include "../../_rainbow/parameters.h"

#include "../../_rainbow/field_gfni.h"
#include "../../_rainbow/keypair_gfni.h"
#include "../../_rainbow/solve_gfni.h"

#define PADDING 64 /* around variables, so that vectors may begin at each */

/* x_i x_i, x_i x_i+1, ... x_i x_count-1 for each i; what a vector holds beyond is
 * 0 and is overwritten by the next. */
static inline uint8_t *products_of(uint8_t *out, const uint8_t *x, int count)
{
    for (int i = 0; i < count; i++) {
        _mm512_storeu_si512(out, mul_byte(_mm512_loadu_si512(x + i), x[i]));
        out += count - i;
    }
    return out;
}

/* ---- signing ---------------------------------------------------------- */

/* The terms whose coefficients stand from a polynomial's constant on: 1, the
 * products of vinegars, the vinegars; in chunks of 64. */
#define MOST_KNOWN (1 + 32 * 33 / 2 + 32)

struct known {
    uint8_t terms[MOST_KNOWN + 64];
    int length;
};

static inline void known_terms(struct known *k, const uint8_t *x, int vinegar)
{
    uint8_t *next;
    k->terms[0] = 1;
    next = products_of(k->terms + 1, x, vinegar);
    _mm512_storeu_si512(next, _mm512_loadu_si512(x));
    k->length = (int)(next - k->terms) + vinegar;
}

static inline vec known_part(const uint8_t *p, const struct known *k)
{
    vec sum = _mm512_setzero_si512();
    int i = 0;
    for (; i + 64 <= k->length; i += 64)
        sum = _mm512_xor_si512(sum, mul(there(_mm512_loadu_si512(p + i)), _mm512_loadu_si512(k->terms + i)));
    return _mm512_xor_si512(sum, mul(there(load(p + i, k->length - i)), _mm512_loadu_si512(k->terms + i)));
}

/* The oils of a layer, whose vinegars are known; -1 where they have no one solution. */
static inline __attribute__((always_inline)) int solve_layer(uint8_t *x, const uint8_t *values, const uint8_t *p,
                                                             const struct layer l)
{
    struct known known;
    uint8_t rights[16], out[16];
    vec parts[16];
    __m128i rows[MOST_OILS];
    vec vinegars = _mm512_loadu_si512(x);
    known_terms(&known, x, l.vinegar);
    for (int k = 0; k < 16; k++)
        parts[k] = k < l.oils ? known_part(p + polynomial_bytes(l) * k + constant_at(l), &known) : _mm512_setzero_si512();
    add_bytes(rights, parts);
    if (l.oils > 8) add_bytes(rights + 8, parts + 8);
    for (int k = 0; k < l.oils; k++, p += polynomial_bytes(l)) {
        uint8_t line[16] = {0};
        vec linear = there(load(p + linear_at(l) + l.vinegar, l.oils));
        times_rows(line, p, l.oils, l.vinegar, vinegars);
        rows[k] = _mm_xor_si128(_mm512_castsi512_si128(linear), _mm_loadu_si128((const __m128i *)line));
        rows[k] = _mm_mask_mov_epi8(rows[k], (__mmask16)(1u << l.oils), _mm_set1_epi8((char)(values[k] ^ rights[k])));
    }
    if (solve(rows, l.oils) != 0) return -1;
    for (int k = 0; k < l.oils; k++) {
        _mm_storeu_si128((__m128i *)out, rows[k]);
        x[l.vinegar + k] = out[l.oils];
    }
    return 0;
}

static int solve_central(uint8_t *x, const uint8_t *values, const uint8_t *p)
{
    static const struct layer wide = {11, 11}, second = {22, 5}, third = {27, 5}, last = {32, 11};
    if (solve_layer(x, values, p, wide) != 0) return -1;
    p += 11 * polynomial_bytes(wide);
    if (solve_layer(x, values + 11, p, second) != 0) return -1;
    p += 5 * polynomial_bytes(second);
    if (solve_layer(x, values + 16, p, third) != 0) return -1;
    p += 5 * polynomial_bytes(third);
    return solve_layer(x, values + 21, p, last);
}

static int preimage(uint8_t out[VARIABLES], const uint8_t wanted[EQUATIONS], const uint8_t *sk)
{
    uint8_t values[EQUATIONS], drawn[VINEGAR], x[VARIABLES + PADDING] = {0}, result[VARIABLES + 8];
    vec moved = _mm512_xor_si512(load(wanted, EQUATIONS), load(sk + OUTER_AFFINE, EQUATIONS));
    int attempts = 0;
    times_rows(values, sk + OUTER_INVERSE, EQUATIONS, EQUATIONS, there(moved));
    do {
        if (attempts++ == ATTEMPTS) return -1;
        randombytes(drawn, VINEGAR);
        memset(x, 0, sizeof x);
        store(x, there(load(drawn, VINEGAR)), VINEGAR);
    } while (solve_central(x, values, sk + CENTRAL) != 0);
    moved = _mm512_xor_si512(load(x, VARIABLES), there(load(sk + INNER_AFFINE, VARIABLES)));
    times_rows(result, sk + INNER_INVERSE, VARIABLES, VARIABLES, moved);
    store(out, back(_mm512_loadu_si512(memcpy(x, result, VARIABLES))), VARIABLES);
    return 0;
}

/* ---- verification ----------------------------------------------------- */

static inline vec equation(const uint8_t *pk, const vec terms[CHUNKS])
{
    vec sum[2] = {_mm512_setzero_si512(), _mm512_setzero_si512()};
    for (int c = 0; c < CHUNKS; c += 2) {
        vec even = _mm512_loadu_si512(pk + 64 * c), odd;
        odd = c + 2 < CHUNKS ? _mm512_loadu_si512(pk + 64 * c + 64) : load(pk + 64 * c + 64, TERMS % 64);
        sum[0] = _mm512_xor_si512(sum[0], mul(there(even), terms[c]));
        sum[1] = _mm512_xor_si512(sum[1], mul(there(odd), terms[c + 1]));
    }
    return _mm512_xor_si512(sum[0], sum[1]);
}

static int solves(const uint8_t *pk, const uint8_t x[VARIABLES], const uint8_t values[EQUATIONS])
{
    uint8_t at[ALL + PADDING] = {0}, terms[64 * CHUNKS + PADDING] = {0}, result[EQUATIONS];
    vec chunks[CHUNKS], sums[8];
    __m256i differs;
    _mm512_storeu_si512(at, there(load(x, VARIABLES)));
    at[VARIABLES] = 1;
    products_of(terms, at, ALL);
    for (int c = 0; c < CHUNKS; c++) chunks[c] = _mm512_loadu_si512(terms + 64 * c);
    for (int k = 0; k < EQUATIONS; k += 8) {
        for (int j = 0; j < 8; j++) sums[j] = equation(pk + TERMS * (k + j), chunks);
        add_bytes(result + k, sums);
    }
    differs = _mm512_castsi512_si256(there(load(values, EQUATIONS)));
    differs = _mm256_xor_si256(differs, _mm256_loadu_si256((const __m256i *)result));
    return _mm256_testz_si256(differs, differs);
}

#include "../../_rainbow/api.h"
