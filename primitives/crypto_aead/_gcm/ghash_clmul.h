/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef GCM_GHASH_CLMUL_H
#define GCM_GHASH_CLMUL_H

/* GHASH with carryless multiplication.  Gueron and Kounavis, "Intel Carry-Less
 * Multiplication Instruction and its Usage for Computing the GCM Mode" (2010)
 * for the idea; the form used here is POLYVAL's (Gueron, Langley, Lindell, RFC
 * 8452, appendix A): blocks are byte-reversed, the hash subkey is multiplied
 * by x once, and
 *
 *     dot(a, b) = a b x^-128  mod  x^128 + x^127 + x^126 + x^121 + 1
 *
 * then is the product GHASH needs, reduced from below without any shift.
 * Sums of products are reduced once, so n blocks with n powers of H cost one
 * reduction. */

#include "../../crypto_stream/_aes/cipher_aesni.h"

typedef struct {
    __m128i lo, mid, hi; /* the sum of products is lo + mid x^64 + hi x^128 */
} ghash_sum;

AES_INLINE __m128i ghash_reverse_bytes(__m128i x)
{
    return _mm_shuffle_epi8(
        x, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}

AES_INLINE void ghash_add_product(ghash_sum *s, __m128i a, __m128i b)
{
    s->lo = _mm_xor_si128(s->lo, _mm_clmulepi64_si128(a, b, 0x00));
    s->mid = _mm_xor_si128(s->mid, _mm_clmulepi64_si128(a, b, 0x01));
    s->mid = _mm_xor_si128(s->mid, _mm_clmulepi64_si128(a, b, 0x10));
    s->hi = _mm_xor_si128(s->hi, _mm_clmulepi64_si128(a, b, 0x11));
}

/* Adds a multiple of the modulus that clears the lowest 64 bits, twice; each
 * is one product by x^63 + x^62 + x^57. */
AES_INLINE __m128i ghash_reduce(const ghash_sum *s)
{
    const __m128i q = _mm_set1_epi64x((long long)0xc200000000000000);
    __m128i t = _mm_xor_si128(s->mid, _mm_shuffle_epi32(s->lo, 0x4e));
    t = _mm_xor_si128(t, _mm_clmulepi64_si128(s->lo, q, 0x00));
    __m128i u = _mm_xor_si128(s->hi, _mm_shuffle_epi32(t, 0x4e));
    return _mm_xor_si128(u, _mm_clmulepi64_si128(t, q, 0x00));
}

AES_INLINE __m128i ghash_dot(__m128i a, __m128i b)
{
    const __m128i zero = _mm_setzero_si128();
    ghash_sum s = {zero, zero, zero};
    ghash_add_product(&s, a, b);
    return ghash_reduce(&s);
}

/* H x: shift by one bit, and fold what falls out. */
AES_INLINE __m128i ghash_times_x(__m128i h)
{
    const __m128i modulus = _mm_set_epi32((int)0xc2000000, 0, 0, 1);
    __m128i sign = _mm_shuffle_epi32(_mm_srai_epi32(h, 31), 0xff);
    __m128i carry = _mm_slli_si128(_mm_srli_epi64(h, 63), 8);
    h = _mm_or_si128(_mm_slli_epi64(h, 1), carry);
    return _mm_xor_si128(h, _mm_and_si128(sign, modulus));
}

/* powers = H^n, ..., H^2, H^1, each 16 bytes; H as AES gave it. */
AES_INLINE void ghash_powers(uint8_t *powers, int n, __m128i H)
{
    __m128i h = ghash_times_x(ghash_reverse_bytes(H));
    __m128i even = ghash_dot(h, h), odd = h, square = even;
    aes_store(powers + 16 * (n - 1), h);
    for (int i = 2; i <= n; i += 2) { /* two chains, each in steps of H^2 */
        aes_store(powers + 16 * (n - i), even);
        odd = ghash_dot(odd, square);
        if (i < n) aes_store(powers + 16 * (n - i - 1), odd);
        even = ghash_dot(even, square);
    }
}

#endif
