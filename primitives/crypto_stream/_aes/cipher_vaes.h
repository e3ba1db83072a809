/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef AES_CIPHER_VAES_H
#define AES_CIPHER_VAES_H

/* Four blocks in a 512-bit register, a few registers side by side.  Drucker,
 * Gueron, Krasnov, "Making AES great again: the forthcoming vectorized AES
 * instruction" (2018).  Round keys are broadcast as they are loaded, so the
 * expanded key is no larger than for one block. */

#include "cipher_aesni.h"

AES_INLINE __m512i aes_roundkey_x4(const uint8_t *w, int round)
{
    return _mm512_broadcast_i32x4(aes_load(w + 16 * round));
}

/* All but the last round; n is a constant where this is inlined. */
AES_INLINE void aes_encrypt_but_last_x4(__m512i *x, int n, const uint8_t *w)
{
    __m512i k = aes_roundkey_x4(w, 0);
    AES_UNROLL for (int i = 0; i < n; i++) x[i] = _mm512_xor_si512(x[i], k);
    AES_UNROLL for (int round = 1; round < AES_ROUNDS; round++) {
        k = aes_roundkey_x4(w, round);
        AES_UNROLL for (int i = 0; i < n; i++) x[i] = _mm512_aesenc_epi128(x[i], k);
    }
}

#endif
