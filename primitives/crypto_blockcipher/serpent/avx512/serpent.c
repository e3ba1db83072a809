/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Serpent with AVX-512: 16 blocks in four registers, two such sets at once where
 * there are so many; S-boxes of three-input gates. */
#include <immintrin.h>

#include "../../_serpent/sboxes.h"
#include "../../_serpent/substitute.h"
#include "../../_serpent/expandkey.h"
#include "../../_serpent/sboxes_ternary.h"

#define TERNARY(a, b, c, table) _mm512_ternarylogic_epi32(a, b, c, table)
#define SERPENT_WORD __m512i
#define SERPENT_KEY(w) _mm512_set1_epi32((int)(w))
#define SERPENT_ROTL(x, n) _mm512_rol_epi32(x, n)
#define SERPENT_SHL(x, n) _mm512_slli_epi32(x, n)
#define SERPENT_XOR3(a, b, c) TERNARY(a, b, c, 0x96)
#define SERPENT_CIRCUIT(name) SERPENT_T##name
#include "../../_serpent/rounds.h"

enum { SET_BYTES = 256 };

int crypto_blockcipher_expandkey(crypto_blockcipher_key *expanded, const uint8_t *key, uint64_t key_bytes)
{
    return serpent_expandkey(expanded->k, key, key_bytes);
}

/* Blocks to slices, and back: transposes 4 x 4 words in each quarter. */
SERPENT_INLINE serpent_set transpose(__m512i a, __m512i b, __m512i c, __m512i d)
{
    const __m512i t0 = _mm512_unpacklo_epi32(a, b), t1 = _mm512_unpackhi_epi32(a, b);
    const __m512i t2 = _mm512_unpacklo_epi32(c, d), t3 = _mm512_unpackhi_epi32(c, d);
    return (serpent_set){_mm512_unpacklo_epi64(t0, t2), _mm512_unpackhi_epi64(t0, t2),
                         _mm512_unpacklo_epi64(t1, t3), _mm512_unpackhi_epi64(t1, t3)};
}

/* n sets; of the last one, the blocks that mask has, two bits for each */
SERPENT_INLINE void crypt(uint8_t *out, const uint8_t *in, int n, uint32_t mask,
                          const crypto_blockcipher_key *k, int decrypt)
{
    serpent_set s[2];
    SERPENT_UNROLL for (int i = 0; i < n; i++)
    {
        const uint32_t m = i == n - 1 ? mask : 0xffffffff;
        const uint8_t *p = in + SET_BYTES * i;
        s[i] = transpose(_mm512_maskz_loadu_epi64((__mmask8)m, p),
                         _mm512_maskz_loadu_epi64((__mmask8)(m >> 8), p + 64),
                         _mm512_maskz_loadu_epi64((__mmask8)(m >> 16), p + 128),
                         _mm512_maskz_loadu_epi64((__mmask8)(m >> 24), p + 192));
    }
    if (decrypt) serpent_decrypt_sets(s, n, k->k);
    else serpent_encrypt_sets(s, n, k->k);
    SERPENT_UNROLL for (int i = 0; i < n; i++)
    {
        const uint32_t m = i == n - 1 ? mask : 0xffffffff;
        uint8_t *p = out + SET_BYTES * i;
        s[i] = transpose(s[i].x0, s[i].x1, s[i].x2, s[i].x3);
        _mm512_mask_storeu_epi64(p, (__mmask8)m, s[i].x0);
        _mm512_mask_storeu_epi64(p + 64, (__mmask8)(m >> 8), s[i].x1);
        _mm512_mask_storeu_epi64(p + 128, (__mmask8)(m >> 16), s[i].x2);
        _mm512_mask_storeu_epi64(p + 192, (__mmask8)(m >> 24), s[i].x3);
    }
}

SERPENT_INLINE void crypt_all(uint8_t *out, const uint8_t *in, uint64_t blocks,
                              const crypto_blockcipher_key *k, int decrypt)
{
    for (; blocks >= 32; blocks -= 32, in += 2 * SET_BYTES, out += 2 * SET_BYTES)
        crypt(out, in, 2, 0xffffffff, k, decrypt);
    if (blocks > 16) crypt(out, in, 2, 0xffffffff >> 2 * (32 - blocks), k, decrypt);
    else if (blocks > 0) crypt(out, in, 1, 0xffffffff >> 2 * (16 - blocks), k, decrypt);
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
