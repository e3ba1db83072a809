/* SPDX-License-Identifier: MIT OR Apache-2.0 */

/* DICING P2 with 256-bit key and IV, without tables that depend on the key.
 * Ideas (ours):
 *
 * - The key-dependent part of the tables is linear.  With s the fixed permutation
 *   of v ^ c1, a = A(s) and e = A(s) ^ B(s), four table words of a column of bytes
 *   v0..v3 give, constants apart, the bytes
 *     a0^a1^a2 ^ e1^e3,  a0^a1^a3 ^ e0^e2,  a0^a2^a3 ^ e1^e3,  a1^a2^a3 ^ e0^e2:
 *   for 64 bytes two VPERMI2B, shuffles and two GF2P8AFFINEQB.
 * - The constants add up to one byte K = A(c1 ^ 0xff) ^ c in every place.  K and
 *   c1 go into what is added anyway: key words, p, q and h.
 * - b1 and b2 live in one vector; what leaves them comes back as a carry-less
 *   product with the low part of the modulus, which has room: 16 bits times a
 *   polynomial of degree at most 44 in either half.
 * - Only b1, b2, p, q go block by block; the tables are applied to four blocks. */

#include "crypto_stream.h"

#include <immintrin.h>

#include "../../_dicing/key.h"
#include "../../_dicing/steer.h"

/* W[k], the image of bit k, as the matrix of GF2P8AFFINEQB: byte 7 - i is the
 * mask of the bits that go into bit i. */
static uint64_t matrix(const uint8_t *w)
{
    uint64_t m = 0;
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 8; k++)
            m |= (uint64_t)(w[k] >> i & 1) << (8 * (7 - i) + k);
    return m;
}

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    dicing_maps maps;
    dicing_mapskey(&maps, key);
    expanded->a = matrix(maps.w);
    expanded->e = expanded->a ^ matrix(maps.y);
    memcpy(expanded->k, key, 32);
    expanded->c1 = maps.c1;
    expanded->constant = dicing_apply(maps.w, maps.c1 ^ 0xff) ^ maps.c;
}

typedef struct {
    __m512i s0, s1, s2, s3; /* the permutation */
    __m512i a, e;
} layer;

static inline layer load_layer(uint64_t a, uint64_t e)
{
    return (layer){
        _mm512_loadu_si512(dicing_sbox), _mm512_loadu_si512(dicing_sbox + 64),
        _mm512_loadu_si512(dicing_sbox + 128),
        _mm512_loadu_si512(dicing_sbox + 192),
        _mm512_set1_epi64((long long)a), _mm512_set1_epi64((long long)e)};
}

/* Sixteen bytes in each of the four lanes. */
static inline __m512i lanes(__m128i x)
{
    return _mm512_broadcast_i32x4(x);
}

#define XOR3 0x96

/* The tables on 16 columns, without constants; then the exclusive or with x. */
static inline __m512i apply(const layer *l, __m512i v, __m512i x)
{
    __mmask64 upper = _mm512_movepi8_mask(v);
    __m512i s = _mm512_mask_blend_epi8(
        upper, _mm512_permutex2var_epi8(l->s0, v, l->s1),
        _mm512_permutex2var_epi8(l->s2, v, l->s3));
    __m512i f = _mm512_shuffle_epi8(
        s, lanes(_mm_setr_epi8(1, 0, 0, 1, 5, 4, 4, 5, 9, 8, 8, 9, 13, 12, 12, 13)));
    __m512i g = _mm512_shuffle_epi8(
        s, lanes(_mm_setr_epi8(2, 3, 3, 2, 6, 7, 7, 6, 10, 11, 11, 10, 14, 15, 15, 14)));
    __m512i a = _mm512_ternarylogic_epi64(s, f, g, XOR3);
    __m512i e = _mm512_xor_si512(_mm512_rol_epi32(s, 8), _mm512_rol_epi32(s, 24));
    a = _mm512_gf2p8affine_epi64_epi8(a, l->a, 0);
    e = _mm512_gf2p8affine_epi64_epi8(e, l->e, 0);
    return _mm512_ternarylogic_epi64(a, e, x, XOR3);
}

/* Four blocks of keystream from four p and four q. */
static inline __m512i blocks(const layer *l, __m512i p, __m512i q, __m512i h)
{
    const __m512i transpose = lanes(
        _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    __m512i c = apply(l, p, q);
    return apply(l, _mm512_shuffle_epi8(c, transpose), h);
}

/* The map G of the IV setup on v ^ c1, without constants; then ^ x. */
static inline __m256i map(const layer *l, __m256i v, __m256i x)
{
    const __m256i order = _mm256_setr_epi8(
        0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29, 2, 6, 10, 14,
        18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31);
    v = _mm256_permutexvar_epi8(order, v);
    return _mm512_castsi512_si256(
        apply(l, _mm512_castsi256_si512(v), _mm512_castsi256_si512(x)));
}

/* The bits of b1 and b2 move up by the numbers in n, one for each half of each. */
static inline __m256i step(__m256i b, __m256i n)
{
    const __m256i modulus = _mm256_set_epi64x( /* low parts, high half first */
        0x000000a1000000a1, 0x00001420000000a1, 0x0000000900000048,
        0x0000000900000009);
    __m256i up = _mm256_sllv_epi64(b, n);
    __m256i out = _mm256_srlv_epi64(b, _mm256_sub_epi64(_mm256_set1_epi64x(64), n));
    __m256i carry = _mm256_bslli_epi128(out, 8);
    __m256i low = _mm256_clmulepi64_epi128(out, modulus, 0x01);
    __m256i high = _mm256_clmulepi64_epi128(out, modulus, 0x11);
    return _mm256_ternarylogic_epi64(
        up, carry, _mm256_unpacklo_epi64(low, high), XOR3);
}

/* The numbers for the steps: bytes i of d's low and high nibbles, plus 1, for
 * b1 and b2; byte i of x to the lowest byte of each half. */
static inline __m256i numbers(uint32_t d)
{
    uint64_t x = (d & 0x0f0f0f0f) | (uint64_t)(d & 0xf0f0f0f0) << 28;
    x += 0x0101010101010101;
    return _mm256_set1_epi64x((long long)x);
}

typedef struct {
    __m256i b, pq;
    __m512i h; /* in every lane */
    uint64_t a1[2], a2[2];
} registers;

static inline void advance(registers *r, __m256i n, int i)
{
    const long long pick1 = -0x100 | i, pick2 = -0x100 | (4 + i);
    n = _mm256_shuffle_epi8(n, _mm256_set_epi64x(pick2, pick2, pick1, pick1));
    r->b = step(r->b, n);
    r->pq = _mm256_xor_si256(r->pq, r->b);
}

static inline __m512i one_block(const layer *l, registers *r)
{
    advance(r, numbers(dicing_steer_once(r->a1, r->a2)), 0);
    return blocks(l, _mm512_castsi256_si512(r->pq),
                  _mm512_castsi128_si512(_mm256_extracti128_si256(r->pq, 1)),
                  r->h);
}

static inline __m512i four_blocks(const layer *l, registers *r)
{
    __m256i n = numbers(dicing_steer(r->a1, r->a2));
    __m512i u, v;
    advance(r, n, 3);
    u = _mm512_castsi256_si512(r->pq);
    advance(r, n, 2);
    u = _mm512_inserti64x4(u, r->pq, 1);
    advance(r, n, 1);
    v = _mm512_castsi256_si512(r->pq);
    advance(r, n, 0);
    v = _mm512_inserti64x4(v, r->pq, 1);
    return blocks(l, _mm512_shuffle_i64x2(u, v, 0x88),
                  _mm512_shuffle_i64x2(u, v, 0xdd), r->h);
}

static inline void setup(registers *r, const layer *l, const uint8_t *nonce,
                         const crypto_stream_key *key)
{
    const __m256i c1 = _mm256_set1_epi8((char)key->c1);
    const __m256i constant = _mm256_set1_epi8((char)key->constant);
    const __m256i both = _mm256_xor_si256(c1, constant);
    const __m256i k = _mm256_loadu_si256((const __m256i *)key->k);
    const __m256i k_both = _mm256_xor_si256(k, both);
    const __m256i x_both = _mm256_xor_si256( /* halves exchanged, complement */
        _mm256_permute4x64_epi64(k_both, 0x4e), _mm256_set1_epi8(-1));
    const __m256i c_both = _mm256_xor_si256(
        _mm256_loadu_si256((const __m256i *)dicing_c), both);
    __m256i v = _mm256_loadu_si256((const __m256i *)nonce), u[4], a;
    /* The nonce lacks no constant, what the map gives does. */
    v = _mm256_ternarylogic_epi64(v, constant, c_both, XOR3);
    for (int t = 0; t < 4; t++) {
        v = map(l, v, k_both);
        v = map(l, v, x_both);
        v = map(l, v, c_both);
        u[t] = _mm256_xor_si256(v, c_both);
    }
    r->h = lanes(_mm_ternarylogic_epi64(
        _mm256_castsi256_si128(u[0]), _mm256_extracti128_si256(u[0], 1),
        _mm256_castsi256_si128(constant), XOR3));
    /* p lacks the constant and wants c1; q lacks the constant, and wants c1 and
     * the constant that the first sum lacks. */
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
    const layer l = load_layer(expanded->a, expanded->e);
    registers r;
    __m512i x;
    setup(&r, &l, nonce, expanded);
    if (soon > 0) {
        x = four_blocks(&l, &r);
        state->count = 48;
        _mm512_store_si512(state->left,
                           _mm512_alignr_epi64(_mm512_setzero_si512(), x, 2));
    } else {
        x = one_block(&l, &r);
        state->count = 0;
    }
    _mm_storeu_si128((__m128i *)first, _mm512_castsi512_si128(x));
    _mm256_store_si256((__m256i *)state->b, r.b);
    _mm256_store_si256((__m256i *)state->pq, r.pq);
    _mm_store_si128((__m128i *)state->h, _mm512_castsi512_si128(r.h));
    memcpy(state->a1, r.a1, sizeof r.a1);
    memcpy(state->a2, r.a2, sizeof r.a2);
    state->a = expanded->a;
    state->e = expanded->e;
}

static inline void xor_upto64(uint8_t *out, const uint8_t *in, __m512i x,
                              uint64_t length)
{
    __mmask64 m = length < 64 ? ((__mmask64)1 << length) - 1 : ~(__mmask64)0;
    x = _mm512_xor_si512(x, _mm512_maskz_loadu_epi8(m, in));
    _mm512_mask_storeu_epi8(out, m, x);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    layer l;
    registers r;
    if (state->count > 0) {
        uint64_t n = length < 48 ? length : 48;
        xor_upto64(out, in, _mm512_load_si512(state->left), n);
        out += n;
        in += n;
        length -= n;
    }
    if (length == 0) return;
    l = load_layer(state->a, state->e);
    r.b = _mm256_load_si256((const __m256i *)state->b);
    r.pq = _mm256_load_si256((const __m256i *)state->pq);
    r.h = lanes(_mm_load_si128((const __m128i *)state->h));
    memcpy(r.a1, state->a1, sizeof r.a1);
    memcpy(r.a2, state->a2, sizeof r.a2);
    for (; length >= 64; out += 64, in += 64, length -= 64) {
        __m512i x = four_blocks(&l, &r);
        _mm512_storeu_si512(out, _mm512_xor_si512(x, _mm512_loadu_si512(in)));
    }
    if (length > 0) xor_upto64(out, in, four_blocks(&l, &r), length);
}
