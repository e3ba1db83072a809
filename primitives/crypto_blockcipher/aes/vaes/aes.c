/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES with VAES, 32 blocks side by side in eight registers of 512 bits. */
#include "../../_aes/vaes.h"

AES_INLINE void aes_one(uint8_t *out, const uint8_t *in, const uint8_t *keys, int rounds, int decrypt)
{
    __m128i x = aes_load(in);
    aes_crypt_n(&x, 1, keys, rounds, decrypt);
    aes_store(out, x);
}

/* 4 (n - 1) + 1 .. 4 n blocks; mask has two bits for each block of the last
 * register */
AES_INLINE void aes_few(uint8_t *out, const uint8_t *in, int n, __mmask8 mask, const uint8_t *keys,
                        int rounds, int decrypt)
{
    __m512i x[8];
    AES_UNROLL for (int i = 0; i < n; i++)
        x[i] = i < n - 1 ? _mm512_loadu_si512(in + 64 * i) : _mm512_maskz_loadu_epi64(mask, in + 64 * i);
    aes_crypt_x4(x, n, keys, rounds, decrypt);
    AES_UNROLL for (int i = 0; i < n - 1; i++) _mm512_storeu_si512(out + 64 * i, x[i]);
    _mm512_mask_storeu_epi64(out + 64 * (n - 1), mask, x[n - 1]);
}

AES_INLINE void aes_blocks(uint8_t *out, const uint8_t *in, uint64_t blocks, const uint8_t *keys,
                           int rounds, int decrypt)
{
    if (blocks == 1) {
        aes_one(out, in, keys, rounds, decrypt);
        return;
    }
    for (; blocks >= 32; blocks -= 32, in += 512, out += 512)
        aes_few(out, in, 8, 0xff, keys, rounds, decrypt);
    for (; blocks >= 16; blocks -= 16, in += 256, out += 256)
        aes_few(out, in, 4, 0xff, keys, rounds, decrypt);
    const __mmask8 mask = (__mmask8)(0xffu >> (2 * ((0 - blocks) & 3)));
    switch ((blocks + 3) / 4) {
    case 1: aes_few(out, in, 1, mask, keys, rounds, decrypt); break;
    case 2: aes_few(out, in, 2, mask, keys, rounds, decrypt); break;
    case 3: aes_few(out, in, 3, mask, keys, rounds, decrypt); break;
    case 4: aes_few(out, in, 4, mask, keys, rounds, decrypt); break;
    default: break;
    }
}

#include "../../_aes/any_rounds.h"
