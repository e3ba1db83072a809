/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef AES_BLOCKCIPHER_VAES_H
#define AES_BLOCKCIPHER_VAES_H

/* Four blocks in a 512-bit register, a few registers side by side.  Drucker,
 * Gueron, Krasnov, "Making AES great again: the forthcoming vectorized AES
 * instruction" (2018).  Round keys are broadcast as they are loaded, so the
 * expanded key is no larger than for one block. */

#include "aesni.h"

AES_INLINE __m512i aes_key_x4(const uint8_t *w, int round)
{
    return _mm512_broadcast_i32x4(aes_load(w + 16 * round));
}

/* n registers of four blocks, under the round keys of that direction */
AES_INLINE void aes_crypt_x4(__m512i *x, int n, const uint8_t *w, int rounds, int decrypt)
{
    __m512i k = aes_key_x4(w, 0);
    AES_UNROLL for (int i = 0; i < n; i++) x[i] = _mm512_xor_si512(x[i], k);
    AES_UNROLL for (int round = 1; round < rounds; round++) {
        k = aes_key_x4(w, round);
        AES_UNROLL for (int i = 0; i < n; i++)
            x[i] = decrypt ? _mm512_aesdec_epi128(x[i], k) : _mm512_aesenc_epi128(x[i], k);
    }
    k = aes_key_x4(w, rounds);
    AES_UNROLL for (int i = 0; i < n; i++)
        x[i] = decrypt ? _mm512_aesdeclast_epi128(x[i], k) : _mm512_aesenclast_epi128(x[i], k);
}

#endif
