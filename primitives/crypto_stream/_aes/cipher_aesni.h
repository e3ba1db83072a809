/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef AES_CIPHER_AESNI_H
#define AES_CIPHER_AESNI_H

/* AES with the AES-NI instructions; several independent blocks hide the
 * latency of aesenc (3 to 8 cycles, one or two started in each).  Gueron,
 * "Intel Advanced Encryption Standard (AES) New Instructions Set" (2010).
 * AES_ROUNDS is 10 or 14. */

#include <string.h>

#include "words_aesni.h"

/* One step of KeyExpansion (same paper). */
AES_INLINE __m128i aes_expand_step(__m128i previous, __m128i last, __m128i pick,
                                   uint32_t rcon)
{
    return _mm_xor_si128(aes_prefix_xor(previous), aes_subword(last, pick, rcon));
}

AES_INLINE void aes_expandkey(uint8_t *w, const uint8_t *key)
{
    const __m128i rotated = _mm_set1_epi32(0x0c0f0e0d); /* RotWord of column 3 */
    __m128i a = aes_load(key);
    uint32_t rcon = 1;
    aes_store(w, a);
#if AES_ROUNDS == 10
    for (int i = 1; i <= 10; i++) {
        a = aes_expand_step(a, a, rotated, rcon);
        aes_store(w + 16 * i, a);
        rcon = rcon == 0x80 ? 0x1b : rcon << 1;
    }
#else
    const __m128i plain = _mm_set1_epi32(0x0f0e0d0c); /* column 3 as it is */
    __m128i b = aes_load(key + 16);
    aes_store(w + 16, b);
    for (int i = 2; i < 14; i += 2) {
        a = aes_expand_step(a, b, rotated, rcon);
        aes_store(w + 16 * i, a);
        rcon <<= 1;
        b = aes_expand_step(b, a, plain, 0);
        aes_store(w + 16 * (i + 1), b);
    }
    a = aes_expand_step(a, b, rotated, rcon);
    aes_store(w + 16 * 14, a);
#endif
}

/* n blocks side by side; n is a constant where this is inlined. */
AES_INLINE void aes_encrypt_blocks(__m128i *x, int n, const uint8_t *w)
{
    __m128i k = aes_load(w);
    AES_UNROLL for (int i = 0; i < n; i++) x[i] = _mm_xor_si128(x[i], k);
    AES_UNROLL for (int round = 1; round < AES_ROUNDS; round++) {
        k = aes_load(w + 16 * round);
        AES_UNROLL for (int i = 0; i < n; i++) x[i] = _mm_aesenc_si128(x[i], k);
    }
    k = aes_load(w + 16 * AES_ROUNDS);
    AES_UNROLL for (int i = 0; i < n; i++) x[i] = _mm_aesenclast_si128(x[i], k);
}

/* The next 8, 4, 2 or 1 bytes of out = in ^ keystream. */
AES_INLINE void aes_xor_piece(uint8_t **out, const uint8_t **in,
                              const uint8_t **keystream, unsigned size)
{
    uint64_t x = 0, y = 0;
    memcpy(&x, *in, size);
    memcpy(&y, *keystream, size);
    x ^= y;
    memcpy(*out, &x, size);
    *out += size;
    *in += size;
    *keystream += size;
}

/* out = in ^ keystream for a packet's short end.  The keystream was stored a
 * moment ago, 16 bytes at a time: no load here is wider than that, or the
 * store could not be forwarded. */
AES_INLINE void aes_xor_short(uint8_t *out, const uint8_t *in,
                              const uint8_t *keystream, uint64_t length)
{
    for (; length >= 16; length -= 16, out += 16, in += 16, keystream += 16)
        aes_store(out, _mm_xor_si128(aes_load(in), aes_load(keystream)));
    if (length & 8) aes_xor_piece(&out, &in, &keystream, 8);
    if (length & 4) aes_xor_piece(&out, &in, &keystream, 4);
    if (length & 2) aes_xor_piece(&out, &in, &keystream, 2);
    if (length & 1) aes_xor_piece(&out, &in, &keystream, 1);
}

#endif
