/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* RC6-32/20 with AVX-512: 16 blocks in four registers, two such sets at once where
 * there are so many. */
#include <immintrin.h>
#include <stdint.h>

typedef uint32_t rc6_vector __attribute__((vector_size(64)));

#define RC6_ALL(w) ((rc6_vector)_mm512_set1_epi32((int)(w)))
#define RC6_MUL(x, y) ((rc6_vector)_mm512_mullo_epi32((__m512i)(x), (__m512i)(y)))
#define RC6_ROTL(x, n) ((rc6_vector)_mm512_rol_epi32((__m512i)(x), n))
#define RC6_ROTLV(x, y) ((rc6_vector)_mm512_rolv_epi32((__m512i)(x), (__m512i)(y)))
#define RC6_ROTRV(x, y) ((rc6_vector)_mm512_rorv_epi32((__m512i)(x), (__m512i)(y)))
#include "../../_rc6/wide.h"

enum { SET_BYTES = 256, ALONE = 2 }; /* so many blocks go faster one by one */

/* Blocks to words, and back: transposes 4 x 4 words in each 128 bits. */
RC6_INLINE rc6_set transpose(__m512i a, __m512i b, __m512i c, __m512i d)
{
    const __m512i t0 = _mm512_unpacklo_epi32(a, b), t1 = _mm512_unpackhi_epi32(a, b);
    const __m512i t2 = _mm512_unpacklo_epi32(c, d), t3 = _mm512_unpackhi_epi32(c, d);
    return (rc6_set){(rc6_vector)_mm512_unpacklo_epi64(t0, t2), (rc6_vector)_mm512_unpackhi_epi64(t0, t2),
                     (rc6_vector)_mm512_unpacklo_epi64(t1, t3), (rc6_vector)_mm512_unpackhi_epi64(t1, t3)};
}

/* n sets; of the last one, the blocks that mask has, two bits for each */
RC6_INLINE void crypt(uint8_t *out, const uint8_t *in, int n, uint32_t mask, const uint32_t *S, int decrypt)
{
    rc6_set x[2];
    RC6_UNROLL for (int i = 0; i < n; i++)
    {
        const uint32_t m = i == n - 1 ? mask : 0xffffffff;
        const uint8_t *p = in + SET_BYTES * i;
        x[i] = transpose(_mm512_maskz_loadu_epi64((__mmask8)m, p),
                         _mm512_maskz_loadu_epi64((__mmask8)(m >> 8), p + 64),
                         _mm512_maskz_loadu_epi64((__mmask8)(m >> 16), p + 128),
                         _mm512_maskz_loadu_epi64((__mmask8)(m >> 24), p + 192));
    }
    if (decrypt) rc6_decrypt_sets(x, n, S);
    else rc6_encrypt_sets(x, n, S);
    RC6_UNROLL for (int i = 0; i < n; i++)
    {
        const uint32_t m = i == n - 1 ? mask : 0xffffffff;
        uint8_t *p = out + SET_BYTES * i;
        x[i] = transpose((__m512i)x[i].a, (__m512i)x[i].b, (__m512i)x[i].c, (__m512i)x[i].d);
        _mm512_mask_storeu_epi64(p, (__mmask8)m, (__m512i)x[i].a);
        _mm512_mask_storeu_epi64(p + 64, (__mmask8)(m >> 8), (__m512i)x[i].b);
        _mm512_mask_storeu_epi64(p + 128, (__mmask8)(m >> 16), (__m512i)x[i].c);
        _mm512_mask_storeu_epi64(p + 192, (__mmask8)(m >> 24), (__m512i)x[i].d);
    }
}

RC6_INLINE void crypt_all(uint8_t *out, const uint8_t *in, uint64_t blocks, const uint32_t *S, int decrypt)
{
    if (blocks <= ALONE) {
        for (; blocks > 0; blocks--, in += 16, out += 16) {
            if (decrypt) rc6_decrypt_block(out, in, S);
            else rc6_encrypt_block(out, in, S);
        }
        return;
    }
    for (; blocks >= 32; blocks -= 32, in += 2 * SET_BYTES, out += 2 * SET_BYTES)
        crypt(out, in, 2, 0xffffffff, S, decrypt);
    if (blocks > 16) crypt(out, in, 2, 0xffffffff >> 2 * (32 - blocks), S, decrypt);
    else if (blocks > 0) crypt(out, in, 1, 0xffffffff >> 2 * (16 - blocks), S, decrypt);
}

void crypto_blockcipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
    crypt_all(out, in, blocks, expanded->s, 0);
}

void crypto_blockcipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
    crypt_all(out, in, blocks, expanded->s, 1);
}
