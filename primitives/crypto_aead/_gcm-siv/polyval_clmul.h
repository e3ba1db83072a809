/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef GCM_SIV_POLYVAL_CLMUL_H
#define GCM_SIV_POLYVAL_CLMUL_H

/* POLYVAL, RFC 8452, section 3, with PCLMULQDQ: eight blocks under the powers of
 * the key and one reduction (Gueron, Lindell, "GCM-SIV", 2015), and counter mode
 * eight blocks at a time.  The key is new in each packet: no more powers are
 * computed than its length can use. */

#include "../_modes/aes_aesni.h"

enum { SIV_MANY = 8 };

typedef struct {
    __m128i power[SIV_MANY], s; /* power[i] = h^(i+1), with dot as product */
} siv_polyval;

typedef struct {
    __m128i lo, mid, hi;
} siv_sum;

AES_INLINE void siv_add_product(siv_sum *t, __m128i a, __m128i b)
{
    t->lo = _mm_xor_si128(t->lo, _mm_clmulepi64_si128(a, b, 0x00));
    t->hi = _mm_xor_si128(t->hi, _mm_clmulepi64_si128(a, b, 0x11));
    t->mid = _mm_xor_si128(t->mid, _mm_clmulepi64_si128(a, b, 0x01));
    t->mid = _mm_xor_si128(t->mid, _mm_clmulepi64_si128(a, b, 0x10));
}

/* Division by x^128: twice the low word times x^63 + x^62 + x^57, the middle of
 * the polynomial, is added 64 places further up. */
AES_INLINE __m128i siv_reduce(const siv_sum *t)
{
    const __m128i q = _mm_set1_epi64x((long long)0xc200000000000000);
    __m128i x = _mm_xor_si128(t->mid, _mm_shuffle_epi32(t->lo, 0x4e));
    x = _mm_xor_si128(x, _mm_clmulepi64_si128(t->lo, q, 0x00));
    const __m128i y = _mm_xor_si128(t->hi, _mm_shuffle_epi32(x, 0x4e));
    return _mm_xor_si128(y, _mm_clmulepi64_si128(x, q, 0x00));
}

AES_INLINE __m128i siv_dot(__m128i a, __m128i b)
{
    siv_sum t = {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()};
    siv_add_product(&t, a, b);
    return siv_reduce(&t);
}

/* Powers from half of those before: three steps deep, not seven */
static inline void siv_polyval_start(siv_polyval *p, const uint8_t *key, uint64_t blocks)
{
    p->s = _mm_setzero_si128();
    p->power[0] = aes_load(key);
    if (blocks < 4) return;
    for (int i = 1; i < SIV_MANY; i++)
        p->power[i] = siv_dot(p->power[(i - 1) / 2], p->power[i / 2]);
}

/* n blocks under the powers n, n - 1, ..., 1 */
AES_INLINE void siv_polyval_some(siv_polyval *p, const uint8_t *in, int n)
{
    siv_sum t = {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()};
    AES_UNROLL for (int i = 0; i < n; i++)
    {
        __m128i x = aes_load(in + 16 * i);
        if (i == 0) x = _mm_xor_si128(x, p->s);
        siv_add_product(&t, x, p->power[n - 1 - i]);
    }
    p->s = siv_reduce(&t);
}

/* Pieces of eight and of four only in packets for which there are such powers */
static inline void siv_polyval_blocks(siv_polyval *p, const uint8_t *in, uint64_t blocks)
{
    for (; blocks >= SIV_MANY; blocks -= SIV_MANY, in += 16 * SIV_MANY) siv_polyval_some(p, in, SIV_MANY);
    if (blocks >= 4) {
        siv_polyval_some(p, in, 4);
        blocks -= 4;
        in += 64;
    }
    for (; blocks > 0; blocks--, in += 16) siv_polyval_some(p, in, 1);
}

static inline void siv_polyval_result(uint8_t *out, const siv_polyval *p)
{
    aes_store(out, p->s);
}

/* Section 4: a 32-bit counter, least significant byte first, which wraps */
AES_INLINE __m128i siv_pads(__m128i *x, int n, __m128i counter, const uint8_t *w)
{
    AES_UNROLL for (int i = 0; i < n; i++)
    {
        x[i] = counter;
        counter = _mm_add_epi32(counter, _mm_set_epi32(0, 0, 0, 1));
    }
    aes_encrypt_n(x, n, w, MODE_ROUNDS);
    return counter;
}

static inline void siv_ctr(uint8_t *out, const uint8_t *in, uint64_t length, uint8_t *counter,
                    const uint8_t *w)
{
    __m128i x[SIV_MANY], c = aes_load(counter);
    for (; length >= 16 * SIV_MANY; length -= 16 * SIV_MANY, in += 16 * SIV_MANY, out += 16 * SIV_MANY) {
        c = siv_pads(x, SIV_MANY, c, w);
        AES_UNROLL for (int i = 0; i < SIV_MANY; i++)
            aes_store(out + 16 * i, _mm_xor_si128(x[i], aes_load(in + 16 * i)));
    }
    if (length > 0) {
        uint8_t pad[16 * SIV_MANY];
        const int n = length <= 64 ? 4 : SIV_MANY;
        c = n == 4 ? siv_pads(x, 4, c, w) : siv_pads(x, SIV_MANY, c, w);
        for (int i = 0; i < n; i++) aes_store(pad + 16 * i, x[i]);
        xor_bytes(out, in, pad, length);
    }
    aes_store(counter, c);
}

#endif
