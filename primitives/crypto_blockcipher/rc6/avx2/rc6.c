/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* RC6-32/20 with AVX2: eight blocks in four registers, two such sets at once where
 * there are so many. */
#include <immintrin.h>
#include <stdint.h>

typedef uint32_t rc6_vector __attribute__((vector_size(32)));

/* Shifts by 32 give 0: a rotation by 0 is right, too. */
#define RC6_ALL(w) ((rc6_vector)_mm256_set1_epi32((int)(w)))
#define RC6_MUL(x, y) ((rc6_vector)_mm256_mullo_epi32((__m256i)(x), (__m256i)(y)))
#define RC6_ROTL(x, n) ((x) << (n) | (x) >> (32 - (n)))
#define RC6_SHLV(x, y) ((rc6_vector)_mm256_sllv_epi32((__m256i)(x), (__m256i)(y)))
#define RC6_SHRV(x, y) ((rc6_vector)_mm256_srlv_epi32((__m256i)(x), (__m256i)(y)))
#define RC6_LOW(y) ((y) & RC6_ALL(31))
#define RC6_ROTLV(x, y) (RC6_SHLV(x, RC6_LOW(y)) | RC6_SHRV(x, RC6_ALL(32) - RC6_LOW(y)))
#define RC6_ROTRV(x, y) (RC6_SHRV(x, RC6_LOW(y)) | RC6_SHLV(x, RC6_ALL(32) - RC6_LOW(y)))
#include "../../_rc6/wide.h"

enum { SET_BYTES = 128, ALONE = 3 }; /* so many blocks go faster one by one */

/* Blocks to words, and back: transposes 4 x 4 words in each 128 bits. */
RC6_INLINE rc6_set transpose(__m256i a, __m256i b, __m256i c, __m256i d)
{
    const __m256i t0 = _mm256_unpacklo_epi32(a, b), t1 = _mm256_unpackhi_epi32(a, b);
    const __m256i t2 = _mm256_unpacklo_epi32(c, d), t3 = _mm256_unpackhi_epi32(c, d);
    return (rc6_set){(rc6_vector)_mm256_unpacklo_epi64(t0, t2), (rc6_vector)_mm256_unpackhi_epi64(t0, t2),
                     (rc6_vector)_mm256_unpacklo_epi64(t1, t3), (rc6_vector)_mm256_unpackhi_epi64(t1, t3)};
}

#define LOAD(p) _mm256_loadu_si256((const __m256i *)(p))
#define STORE(p, x) _mm256_storeu_si256((__m256i *)(p), (__m256i)(x))

RC6_INLINE void crypt(uint8_t *out, const uint8_t *in, int n, const uint32_t *S, int decrypt)
{
    rc6_set x[2];
    RC6_UNROLL for (int i = 0; i < n; i++)
    {
        const uint8_t *p = in + SET_BYTES * i;
        x[i] = transpose(LOAD(p), LOAD(p + 32), LOAD(p + 64), LOAD(p + 96));
    }
    if (decrypt) rc6_decrypt_sets(x, n, S);
    else rc6_encrypt_sets(x, n, S);
    RC6_UNROLL for (int i = 0; i < n; i++)
    {
        uint8_t *p = out + SET_BYTES * i;
        x[i] = transpose((__m256i)x[i].a, (__m256i)x[i].b, (__m256i)x[i].c, (__m256i)x[i].d);
        STORE(p, x[i].a);
        STORE(p + 32, x[i].b);
        STORE(p + 64, x[i].c);
        STORE(p + 96, x[i].d);
    }
}

RC6_INLINE void crypt_all(uint8_t *out, const uint8_t *in, uint64_t blocks, const uint32_t *S, int decrypt)
{
    for (; blocks >= 16; blocks -= 16, in += 2 * SET_BYTES, out += 2 * SET_BYTES)
        crypt(out, in, 2, S, decrypt);
    for (; blocks >= 8; blocks -= 8, in += SET_BYTES, out += SET_BYTES) crypt(out, in, 1, S, decrypt);
    if (blocks > ALONE) {
        uint8_t few[SET_BYTES] = {0};
        memcpy(few, in, 16 * blocks);
        crypt(few, few, 1, S, decrypt);
        memcpy(out, few, 16 * blocks);
        return;
    }
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        if (decrypt) rc6_decrypt_block(out, in, S);
        else rc6_encrypt_block(out, in, S);
    }
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
