/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef AES_BLOCKCIPHER_AESNI_H
#define AES_BLOCKCIPHER_AESNI_H

/* AES with AES-NI, both directions and all key lengths.  Gueron, "Intel Advanced
 * Encryption Standard (AES) New Instructions Set" (2010).  `rounds` and n are
 * constants wherever these functions are inlined. */

#include "../../crypto_stream/_aes/words_aesni.h"

#define AES_ROTATED_3 _mm_set1_epi32(0x0c0f0e0d) /* RotWord of column 3 */
#define AES_PLAIN_3 _mm_set1_epi32(0x0f0e0d0c)
#define AES_ROTATED_1 _mm_set1_epi32(0x04070605)

AES_INLINE void aes_expandkey_128(uint8_t *w, const uint8_t *key)
{
    __m128i a = aes_load(key);
    uint32_t rcon = 1;
    aes_store(w, a);
    for (int i = 1; i <= 10; i++) {
        a = _mm_xor_si128(aes_prefix_xor(a), aes_subword(a, AES_ROTATED_3, rcon));
        aes_store(w + 16 * i, a);
        rcon = rcon == 0x80 ? 0x1b : rcon << 1;
    }
}

/* Six words a step: a has four, b two. */
AES_INLINE void aes_expandkey_192(uint8_t *w, const uint8_t *key)
{
    __m128i a = aes_load(key), b = _mm_loadl_epi64((const __m128i *)(key + 16));
    uint32_t rcon = 1;
    for (int i = 0;; i++, rcon <<= 1) {
        aes_store(w + 24 * i, a);
        if (i == 8) break; /* 52 words */
        _mm_storel_epi64((__m128i *)(w + 24 * i + 16), b);
        a = _mm_xor_si128(aes_prefix_xor(a), aes_subword(b, AES_ROTATED_1, rcon));
        b = _mm_xor_si128(b, _mm_slli_si128(b, 4));
        b = _mm_xor_si128(b, _mm_shuffle_epi32(a, 0xff));
    }
}

AES_INLINE void aes_expandkey_256(uint8_t *w, const uint8_t *key)
{
    __m128i a = aes_load(key), b = aes_load(key + 16);
    uint32_t rcon = 1;
    aes_store(w, a);
    aes_store(w + 16, b);
    for (int i = 2;; i += 2, rcon <<= 1) {
        a = _mm_xor_si128(aes_prefix_xor(a), aes_subword(b, AES_ROTATED_3, rcon));
        aes_store(w + 16 * i, a);
        if (i == 14) break; /* 60 words */
        b = _mm_xor_si128(aes_prefix_xor(b), aes_subword(a, AES_PLAIN_3, 0));
        aes_store(w + 16 * (i + 1), b);
    }
}

/* The round keys of the equivalent inverse cipher (FIPS 197, section 5.3.5), in
 * the order of their use. */
AES_INLINE void aes_invert_roundkeys(uint8_t *v, const uint8_t *w, int rounds)
{
    aes_store(v, aes_load(w + 16 * rounds));
    for (int i = 1; i < rounds; i++)
        aes_store(v + 16 * i, _mm_aesimc_si128(aes_load(w + 16 * (rounds - i))));
    aes_store(v + 16 * rounds, aes_load(w));
}

/* n blocks side by side */
AES_INLINE void aes_encrypt_n(__m128i *x, int n, const uint8_t *w, int rounds)
{
    __m128i k = aes_load(w);
    AES_UNROLL for (int i = 0; i < n; i++) x[i] = _mm_xor_si128(x[i], k);
    AES_UNROLL for (int round = 1; round < rounds; round++) {
        k = aes_load(w + 16 * round);
        AES_UNROLL for (int i = 0; i < n; i++) x[i] = _mm_aesenc_si128(x[i], k);
    }
    k = aes_load(w + 16 * rounds);
    AES_UNROLL for (int i = 0; i < n; i++) x[i] = _mm_aesenclast_si128(x[i], k);
}

AES_INLINE void aes_decrypt_n(__m128i *x, int n, const uint8_t *v, int rounds)
{
    __m128i k = aes_load(v);
    AES_UNROLL for (int i = 0; i < n; i++) x[i] = _mm_xor_si128(x[i], k);
    AES_UNROLL for (int round = 1; round < rounds; round++) {
        k = aes_load(v + 16 * round);
        AES_UNROLL for (int i = 0; i < n; i++) x[i] = _mm_aesdec_si128(x[i], k);
    }
    k = aes_load(v + 16 * rounds);
    AES_UNROLL for (int i = 0; i < n; i++) x[i] = _mm_aesdeclast_si128(x[i], k);
}

/* Either direction, under the round keys of that direction */
AES_INLINE void aes_crypt_n(__m128i *x, int n, const uint8_t *keys, int rounds, int decrypt)
{
    if (decrypt) aes_decrypt_n(x, n, keys, rounds);
    else aes_encrypt_n(x, n, keys, rounds);
}

#endif
