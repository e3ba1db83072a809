/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* SAFER+ with AVX-512 VBMI: four blocks in a register, four registers at once.
 * Exponentials and logarithms are look-ups in 256 bytes of registers (vpermi2b),
 * so that time does not depend on secrets.  A layer of pairs (a, b) -> (2a + b,
 * a + b), with the permutation before it, is the sum of two shuffles and of one
 * of them again in the even places. */
#include "crypto_blockcipher.h"

#include <immintrin.h>

#include "../../_saferplus/expandkey.h"

#define INLINE static inline __attribute__((always_inline))
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

enum { SETS = 4 };

#define GROUP_A 0x9999999999999999 /* bytes 1, 4, 5, 8, ... of a block: exponentials */
#define EVEN 0x5555555555555555
#define ODD 0xaaaaaaaaaaaaaaaa

int crypto_blockcipher_expandkey(crypto_blockcipher_key *expanded, const uint8_t *key, uint64_t key_bytes)
{
    uint8_t k[33][16];
    expanded->rounds = saferplus_expandkey(k, key, key_bytes);
    if (expanded->rounds == 0) return -1;
    for (int j = 0; j <= 2 * expanded->rounds; j++) {
        const __m128i x = _mm_loadu_si128((const __m128i *)k[j]);
        const __mmask16 added = (__mmask16)(j % 2 == 0 ? ~GROUP_A : GROUP_A);
        _mm_storeu_si128((__m128i *)expanded->add[j], _mm_maskz_mov_epi8(added, x));
        _mm_storeu_si128((__m128i *)expanded->mix[j], _mm_maskz_mov_epi8((__mmask16)~added, x));
    }
    return 0;
}

typedef struct {
    __m512i exp[2], log[4], swap, from, from_swapped;
} constants;

INLINE __m512i all4(const uint8_t *p)
{
    return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)p));
}

INLINE constants load_constants(int decrypt)
{
    static const uint8_t swap[16] = {1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14};
    /* where each byte comes from, and in decryption went to */
    static const uint8_t from[2][16] = {{8, 11, 12, 15, 2, 1, 6, 5, 10, 9, 14, 13, 0, 7, 4, 3},
                                        {12, 5, 4, 15, 14, 7, 6, 13, 0, 9, 8, 1, 2, 11, 10, 3}};
    constants c;
    UNROLL for (int i = 0; i < 4; i++) c.log[i] = _mm512_loadu_si512(saferplus_log + 64 * i);
    UNROLL for (int i = 0; i < 2; i++) c.exp[i] = _mm512_loadu_si512(saferplus_exp + 64 * i);
    c.swap = all4(swap);
    c.from = all4(from[decrypt]);
    c.from_swapped = _mm512_shuffle_epi8(c.from, c.swap);
    return c;
}

/* 45^(x + 128) = -45^x mod 257, which is 257 - 45^x: modulo 256, 1 - 45^x. */
INLINE __m512i substitute(__m512i x, const constants *c, __mmask64 exponentials)
{
    const __mmask64 high = _mm512_movepi8_mask(x);
    __m512i e = _mm512_permutex2var_epi8(c->exp[0], x, c->exp[1]);
    __m512i l = _mm512_permutex2var_epi8(c->log[0], x, c->log[1]);
    e = _mm512_mask_sub_epi8(e, high, _mm512_set1_epi8(1), e);
    l = _mm512_mask_mov_epi8(l, high, _mm512_permutex2var_epi8(c->log[2], x, c->log[3]));
    return _mm512_mask_mov_epi8(l, exponentials, e);
}

INLINE __m512i pairs(__m512i x, __m512i swapped)
{
    const __m512i sum = _mm512_add_epi8(x, swapped);
    return _mm512_mask_add_epi8(sum, EVEN, sum, x);
}

/* (a, b) -> (a - b, 2b - a) */
INLINE __m512i pairs_back(__m512i x, __m512i swapped)
{
    const __m512i difference = _mm512_sub_epi8(x, swapped);
    return _mm512_mask_add_epi8(difference, ODD, difference, x);
}

#define EACH UNROLL for (int i = 0; i < n; i++)

INLINE void encrypt_sets(__m512i *x, int n, const crypto_blockcipher_key *k)
{
    const constants c = load_constants(0);
    int j = 0;
    for (; j < 2 * k->rounds; j += 2) {
        const __m512i a0 = all4(k->add[j]), m0 = all4(k->mix[j]);
        const __m512i a1 = all4(k->add[j + 1]), m1 = all4(k->mix[j + 1]);
        EACH x[i] = _mm512_xor_si512(_mm512_add_epi8(x[i], a0), m0);
        EACH x[i] = substitute(x[i], &c, GROUP_A);
        EACH x[i] = _mm512_xor_si512(_mm512_add_epi8(x[i], a1), m1);
        EACH x[i] = pairs(x[i], _mm512_shuffle_epi8(x[i], c.swap));
        for (int layer = 1; layer < 4; layer++)
            EACH x[i] = pairs(_mm512_shuffle_epi8(x[i], c.from), _mm512_shuffle_epi8(x[i], c.from_swapped));
    }
    EACH x[i] = _mm512_xor_si512(_mm512_add_epi8(x[i], all4(k->add[j])), all4(k->mix[j]));
}

INLINE void decrypt_sets(__m512i *x, int n, const crypto_blockcipher_key *k)
{
    const constants c = load_constants(1);
    int j = 2 * k->rounds;
    EACH x[i] = _mm512_sub_epi8(_mm512_xor_si512(x[i], all4(k->mix[j])), all4(k->add[j]));
    while (j > 0) {
        j -= 2;
        const __m512i a0 = all4(k->add[j]), m0 = all4(k->mix[j]);
        const __m512i a1 = all4(k->add[j + 1]), m1 = all4(k->mix[j + 1]);
        EACH x[i] = pairs_back(x[i], _mm512_shuffle_epi8(x[i], c.swap));
        for (int layer = 1; layer < 4; layer++)
            EACH x[i] = pairs_back(_mm512_shuffle_epi8(x[i], c.from), _mm512_shuffle_epi8(x[i], c.from_swapped));
        EACH x[i] = _mm512_sub_epi8(_mm512_xor_si512(x[i], m1), a1);
        EACH x[i] = substitute(x[i], &c, ~(__mmask64)GROUP_A);
        EACH x[i] = _mm512_sub_epi8(_mm512_xor_si512(x[i], m0), a0);
    }
}

/* n registers; of the last one, the blocks that mask has, two bits for each */
INLINE void crypt(uint8_t *out, const uint8_t *in, int n, __mmask8 mask, const crypto_blockcipher_key *k,
                  int decrypt)
{
    __m512i x[SETS];
    EACH x[i] = _mm512_maskz_loadu_epi64(i == n - 1 ? mask : 0xff, in + 64 * i);
    if (decrypt) decrypt_sets(x, n, k);
    else encrypt_sets(x, n, k);
    EACH _mm512_mask_storeu_epi64(out + 64 * i, i == n - 1 ? mask : 0xff, x[i]);
}

INLINE void crypt_all(uint8_t *out, const uint8_t *in, uint64_t blocks, const crypto_blockcipher_key *k,
                      int decrypt)
{
    for (; blocks >= 4 * SETS; blocks -= 4 * SETS, in += 64 * SETS, out += 64 * SETS)
        crypt(out, in, SETS, 0xff, k, decrypt);
    const __mmask8 mask = (__mmask8)(0xffu >> (2 * ((0 - blocks) & 3)));
    switch ((blocks + 3) / 4) {
    case 1: crypt(out, in, 1, mask, k, decrypt); break;
    case 2: crypt(out, in, 2, mask, k, decrypt); break;
    case 3: crypt(out, in, 3, mask, k, decrypt); break;
    case 4: crypt(out, in, 4, mask, k, decrypt); break;
    default: break;
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
