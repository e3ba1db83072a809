/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES with AES-NI, eight blocks side by side. */
#include "../../_aes/aesni.h"

AES_INLINE void aes_few(uint8_t *out, const uint8_t *in, int n, const uint8_t *keys, int rounds,
                        int decrypt)
{
    __m128i x[8];
    AES_UNROLL for (int i = 0; i < n; i++) x[i] = aes_load(in + 16 * i);
    aes_crypt_n(x, n, keys, rounds, decrypt);
    AES_UNROLL for (int i = 0; i < n; i++) aes_store(out + 16 * i, x[i]);
}

AES_INLINE void aes_blocks(uint8_t *out, const uint8_t *in, uint64_t blocks, const uint8_t *keys,
                           int rounds, int decrypt)
{
    for (; blocks >= 8; blocks -= 8, in += 128, out += 128) aes_few(out, in, 8, keys, rounds, decrypt);
    switch (blocks) {
    case 1: aes_few(out, in, 1, keys, rounds, decrypt); break;
    case 2: aes_few(out, in, 2, keys, rounds, decrypt); break;
    case 3: aes_few(out, in, 3, keys, rounds, decrypt); break;
    case 4: aes_few(out, in, 4, keys, rounds, decrypt); break;
    case 5: aes_few(out, in, 5, keys, rounds, decrypt); break;
    case 6: aes_few(out, in, 6, keys, rounds, decrypt); break;
    case 7: aes_few(out, in, 7, keys, rounds, decrypt); break;
    default: break;
    }
}

#include "../../_aes/any_rounds.h"
