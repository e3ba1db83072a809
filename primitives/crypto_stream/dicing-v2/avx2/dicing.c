/* SPDX-License-Identifier: MIT OR Apache-2.0 */

/* DICING P2 with 256-bit key and IV, without tables that depend on the key: the
 * ideas of ../avx512 with what AVX2 has, two blocks at once.  The fixed
 * permutation is 16 look-ups of 16 bytes (VPSHUFB) and a tree of choices by the
 * high bits, the linear maps are look-ups of nibbles, and what leaves b1 and b2
 * comes back by shifts, which differ by lane. */

#include "crypto_stream.h"

#include <immintrin.h>

#include "../../_dicing/key.h"
#include "../../_dicing/steer.h"

#define INLINE static inline __attribute__((always_inline))

static void nibbles(uint8_t t[2][16], const uint8_t *w)
{
    t[0][0] = t[1][0] = 0;
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 1 << k; i++) {
            t[0][(1 << k) + i] = t[0][i] ^ w[k];
            t[1][(1 << k) + i] = t[1][i] ^ w[4 + k];
        }
}

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    dicing_maps maps;
    uint8_t both[8];
    dicing_mapskey(&maps, key);
    for (int i = 0; i < 8; i++) both[i] = maps.w[i] ^ maps.y[i];
    nibbles(expanded->a, maps.w);
    nibbles(expanded->e, both);
    memcpy(expanded->k, key, 32);
    expanded->c1 = maps.c1;
    expanded->constant = dicing_apply(maps.w, maps.c1 ^ 0xff) ^ maps.c;
}

INLINE __m256i lanes(const uint8_t *p)
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)p));
}

INLINE __m256i load(const uint8_t *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

INLINE __m256i choose(__m256i bit7, __m256i one, __m256i zero)
{
    return _mm256_blendv_epi8(zero, one, bit7);
}

/* 32 bytes through rows 2i and 2i + 1 of the permutation.  A set bit 7 in an
 * index makes VPSHUFB give 0. */
INLINE __m256i rows(int i, __m256i even, __m256i odd)
{
    return _mm256_or_si256(
        _mm256_shuffle_epi8(lanes(dicing_sbox + 32 * i), even),
        _mm256_shuffle_epi8(lanes(dicing_sbox + 32 * i + 16), odd));
}

INLINE __m256i permute(__m256i v)
{
    const __m256i even = _mm256_add_epi8(_mm256_and_si256(v, _mm256_set1_epi8(0x1f)),
                                         _mm256_set1_epi8(0x70));
    const __m256i odd = _mm256_xor_si256(even, _mm256_set1_epi8(-0x80));
    const __m256i bit6 = _mm256_add_epi8(v, v), bit5 = _mm256_add_epi8(bit6, bit6);
    __m256i x = choose(bit5, rows(1, even, odd), rows(0, even, odd));
    __m256i y = choose(bit5, rows(3, even, odd), rows(2, even, odd));
    __m256i z = choose(bit5, rows(5, even, odd), rows(4, even, odd));
    __m256i t = choose(bit5, rows(7, even, odd), rows(6, even, odd));
    return choose(v, choose(bit6, t, z), choose(bit6, y, x));
}

/* A linear map of the nibbles of v. */
INLINE __m256i linear(const uint8_t t[2][16], __m256i v)
{
    const __m256i low = _mm256_set1_epi8(15);
    __m256i high = _mm256_and_si256(_mm256_srli_epi16(v, 4), low);
    return _mm256_xor_si256(
        _mm256_shuffle_epi8(lanes(t[0]), _mm256_and_si256(v, low)),
        _mm256_shuffle_epi8(lanes(t[1]), high));
}

#define SHUFFLE(v, a, b, c, d)                                                 \
    _mm256_shuffle_epi8(                                                       \
        v, _mm256_broadcastsi128_si256(_mm_setr_epi8(                          \
               a, b, c, d, a + 4, b + 4, c + 4, d + 4, a + 8, b + 8, c + 8,    \
               d + 8, a + 12, b + 12, c + 12, d + 12)))

/* The tables on 8 columns, without constants; then the exclusive or with x. */
INLINE __m256i apply(const crypto_stream_key *key, __m256i v, __m256i x)
{
    __m256i s = permute(v);
    __m256i a = _mm256_xor_si256(
        s, _mm256_xor_si256(SHUFFLE(s, 1, 0, 0, 1), SHUFFLE(s, 2, 3, 3, 2)));
    __m256i e = _mm256_xor_si256(SHUFFLE(s, 3, 0, 1, 2), SHUFFLE(s, 1, 2, 3, 0));
    return _mm256_xor_si256(_mm256_xor_si256(linear(key->a, a), x),
                            linear(key->e, e));
}

/* Two blocks of keystream from two p and two q. */
INLINE __m256i blocks(const crypto_stream_key *key, __m256i p, __m256i q,
                      __m256i h)
{
    const __m256i transpose = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    __m256i c = apply(key, p, q);
    return apply(key, _mm256_shuffle_epi8(c, transpose), h);
}

/* The map G of the IV setup on v ^ c1, without constants; then ^ x. */
INLINE __m256i map(const crypto_stream_key *key, __m256i v, __m256i x)
{
    const __m256i transpose = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    v = _mm256_shuffle_epi8(v, transpose);
    return apply(key, _mm256_permutevar8x32_epi32(v, order), x);
}

/* The bits of b1 and b2 move up by the numbers in n, one for each half of each.
 * What goes out is multiplied by (1 + X^3) or (1 + X^5 + X^7), then by (1 + X^32)
 * + X^64 (X^3 + X^32) or (1 + X^37) + X^64 (1 + X^32).  A shift by 64 gives 0. */
INLINE __m256i step(__m256i b, __m256i n)
{
    __m256i up = _mm256_sllv_epi64(b, n);
    __m256i out = _mm256_srlv_epi64(b, _mm256_sub_epi64(_mm256_set1_epi64x(64), n));
    __m256i carry = _mm256_bslli_epi128(out, 8);
    __m256i o = _mm256_unpackhi_epi64(out, out);
    __m256i z3 = _mm256_sllv_epi64(o, _mm256_setr_epi64x(3, 3, 5, 5));
    __m256i z7 = _mm256_sllv_epi64(o, _mm256_setr_epi64x(64, 64, 7, 7));
    __m256i z = _mm256_xor_si256(o, _mm256_xor_si256(z3, z7));
    __m256i near = _mm256_sllv_epi64(z, _mm256_setr_epi64x(0, 3, 0, 0));
    __m256i far = _mm256_sllv_epi64(z, _mm256_setr_epi64x(32, 32, 37, 32));
    return _mm256_xor_si256(_mm256_xor_si256(up, carry),
                            _mm256_xor_si256(near, far));
}

/* The numbers for the steps: bytes i of d's low and high nibbles, plus 1. */
INLINE __m256i numbers(uint32_t d)
{
    uint64_t x = (d & 0x0f0f0f0f) | (uint64_t)(d & 0xf0f0f0f0) << 28;
    x += 0x0101010101010101;
    return _mm256_set1_epi64x((long long)x);
}

typedef struct {
    __m256i b, pq, h; /* h in both lanes */
    uint64_t a1[2], a2[2];
} registers;

INLINE void advance(registers *r, __m256i n, int i)
{
    const long long pick1 = -0x100 | i, pick2 = -0x100 | (4 + i);
    n = _mm256_shuffle_epi8(n, _mm256_set_epi64x(pick2, pick2, pick1, pick1));
    r->b = step(r->b, n);
    r->pq = _mm256_xor_si256(r->pq, r->b);
}

/* Blocks of the numbers i and i - 1. */
INLINE __m256i two_blocks(const crypto_stream_key *key, registers *r, __m256i n,
                          int i)
{
    __m256i pq;
    advance(r, n, i);
    pq = r->pq;
    advance(r, n, i - 1);
    return blocks(key, _mm256_permute2x128_si256(pq, r->pq, 0x20),
                  _mm256_permute2x128_si256(pq, r->pq, 0x31), r->h);
}

/* For the constants see ../avx512. */
INLINE void setup(registers *r, const uint8_t *nonce, const crypto_stream_key *key)
{
    const __m256i c1 = _mm256_set1_epi8((char)key->c1);
    const __m256i constant = _mm256_set1_epi8((char)key->constant);
    const __m256i both = _mm256_xor_si256(c1, constant);
    const __m256i k = load(key->k), k_both = _mm256_xor_si256(k, both);
    const __m256i x_both = _mm256_xor_si256( /* halves exchanged, complement */
        _mm256_permute4x64_epi64(k_both, 0x4e), _mm256_set1_epi8(-1));
    const __m256i c_both = _mm256_xor_si256(load(dicing_c), both);
    __m256i v = _mm256_xor_si256(load(nonce), _mm256_xor_si256(constant, c_both));
    __m256i u[4], a;
    for (int t = 0; t < 4; t++) {
        v = map(key, v, k_both);
        v = map(key, v, x_both);
        v = map(key, v, c_both);
        u[t] = _mm256_xor_si256(v, c_both);
    }
    r->h = _mm256_xor_si256(
        _mm256_xor_si256(u[0], _mm256_permute4x64_epi64(u[0], 0x4e)), constant);
    r->pq = _mm256_xor_si256(u[1], _mm256_blend_epi32(c1, both, 0x0f));
    a = _mm256_xor_si256(u[2], constant);
    _mm_storeu_si128((__m128i *)r->a1, _mm256_castsi256_si128(a));
    _mm_storeu_si128((__m128i *)r->a2, _mm256_extracti128_si256(a, 1));
    r->a1[1] &= UINT64_MAX >> 1;
    r->a2[1] &= UINT64_MAX >> 2;
    r->b = _mm256_xor_si256(u[3], constant);
    if (_mm256_testz_si256(r->b, r->b)) r->b = k;
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    registers r;
    __m256i x;
    (void)soon;
    setup(&r, nonce, expanded);
    advance(&r, numbers(dicing_steer_once(r.a1, r.a2)), 0);
    x = blocks(expanded, r.pq, _mm256_permute4x64_epi64(r.pq, 0x4e), r.h);
    _mm_storeu_si128((__m128i *)first, _mm256_castsi256_si128(x));
    state->key = expanded;
    _mm256_storeu_si256((__m256i *)state->b, r.b);
    _mm256_storeu_si256((__m256i *)state->pq, r.pq);
    _mm_storeu_si128((__m128i *)state->h, _mm256_castsi256_si128(r.h));
    memcpy(state->a1, r.a1, sizeof r.a1);
    memcpy(state->a2, r.a2, sizeof r.a2);
}

INLINE void xor32(uint8_t *out, const uint8_t *in, __m256i x)
{
    _mm256_storeu_si256((__m256i *)out, _mm256_xor_si256(x, load(in)));
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    const crypto_stream_key *key = state->key;
    registers r;
    r.b = load(state->b);
    r.pq = load(state->pq);
    r.h = lanes(state->h);
    memcpy(r.a1, state->a1, sizeof r.a1);
    memcpy(r.a2, state->a2, sizeof r.a2);
    while (length > 0) {
        __m256i n = numbers(dicing_steer(r.a1, r.a2));
        for (int i = 3; i > 0 && length > 0; i -= 2) {
            __m256i x = two_blocks(key, &r, n, i);
            if (length < 32) {
                uint8_t pad[32];
                _mm256_storeu_si256((__m256i *)pad, x);
                xor_bytes(out, in, pad, length);
                return;
            }
            xor32(out, in, x);
            out += 32;
            in += 32;
            length -= 32;
        }
    }
}
