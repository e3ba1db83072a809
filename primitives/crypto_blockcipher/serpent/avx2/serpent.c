/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Serpent with AVX2: eight blocks in four registers, two such sets at once where
 * there are so many. */
#include <immintrin.h>

#include "../../_serpent/sboxes.h"
#include "../../_serpent/inverse_sboxes.h"
#include "../../_serpent/substitute.h"
#include "../../_serpent/expandkey.h"

typedef uint32_t slice __attribute__((vector_size(32)));

#define SERPENT_WORD slice
#define SERPENT_KEY(w) ((slice)_mm256_set1_epi32((int)(w)))
#define SERPENT_ROTL(x, n) ((x) << (n) | (x) >> (32 - (n)))
#define SERPENT_SHL(x, n) ((x) << (n))
#define SERPENT_XOR3(a, b, c) ((a) ^ (b) ^ (c))
#define SERPENT_CIRCUIT(name) SERPENT_##name
#include "../../_serpent/rounds.h"

enum { SET_BYTES = 128 };

int crypto_blockcipher_expandkey(crypto_blockcipher_key *expanded, const uint8_t *key, uint64_t key_bytes)
{
    return serpent_expandkey(expanded->k, key, key_bytes);
}

/* Blocks to slices, and back: transposes 4 x 4 words in each half. */
SERPENT_INLINE serpent_set transpose(__m256i a, __m256i b, __m256i c, __m256i d)
{
    const __m256i t0 = _mm256_unpacklo_epi32(a, b), t1 = _mm256_unpackhi_epi32(a, b);
    const __m256i t2 = _mm256_unpacklo_epi32(c, d), t3 = _mm256_unpackhi_epi32(c, d);
    return (serpent_set){(slice)_mm256_unpacklo_epi64(t0, t2), (slice)_mm256_unpackhi_epi64(t0, t2),
                         (slice)_mm256_unpacklo_epi64(t1, t3), (slice)_mm256_unpackhi_epi64(t1, t3)};
}

#define LOAD(p) _mm256_loadu_si256((const __m256i *)(p))
#define STORE(p, x) _mm256_storeu_si256((__m256i *)(p), (__m256i)(x))

SERPENT_INLINE void crypt(uint8_t *out, const uint8_t *in, int n, const crypto_blockcipher_key *k,
                          int decrypt)
{
    serpent_set s[2];
    SERPENT_UNROLL for (int i = 0; i < n; i++)
    {
        const uint8_t *p = in + SET_BYTES * i;
        s[i] = transpose(LOAD(p), LOAD(p + 32), LOAD(p + 64), LOAD(p + 96));
    }
    if (decrypt) serpent_decrypt_sets(s, n, k->k);
    else serpent_encrypt_sets(s, n, k->k);
    SERPENT_UNROLL for (int i = 0; i < n; i++)
    {
        uint8_t *p = out + SET_BYTES * i;
        s[i] = transpose((__m256i)s[i].x0, (__m256i)s[i].x1, (__m256i)s[i].x2, (__m256i)s[i].x3);
        STORE(p, s[i].x0);
        STORE(p + 32, s[i].x1);
        STORE(p + 64, s[i].x2);
        STORE(p + 96, s[i].x3);
    }
}

SERPENT_INLINE void crypt_all(uint8_t *out, const uint8_t *in, uint64_t blocks,
                              const crypto_blockcipher_key *k, int decrypt)
{
    for (; blocks >= 16; blocks -= 16, in += 2 * SET_BYTES, out += 2 * SET_BYTES)
        crypt(out, in, 2, k, decrypt);
    for (; blocks >= 8; blocks -= 8, in += SET_BYTES, out += SET_BYTES) crypt(out, in, 1, k, decrypt);
    if (blocks > 0) {
        uint8_t few[SET_BYTES] = {0};
        memcpy(few, in, 16 * blocks);
        crypt(few, few, 1, k, decrypt);
        memcpy(out, few, 16 * blocks);
    }
}

void crypto_blockcipher_encrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
    crypt_all(out, in, blocks, expanded, 0);
}

void crypto_blockcipher_decrypt(uint8_t *out, const uint8_t *in, uint64_t blocks,
                                const crypto_blockcipher_key *expanded)
{
    crypt_all(out, in, blocks, expanded, 1);
}
