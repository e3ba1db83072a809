/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef MODES_AES_AESNI_H
#define MODES_AES_AESNI_H

/* AES for modes of operation, with AES-NI: the functions of aes_ref.h. */

#include "../../crypto_blockcipher/_aes/aesni.h"
#include "bytes.h"

enum { MODE_ROUNDS = MODE_KEY_WORDS + 6, MODE_MANY = 8 };

static inline void mode_expandkey(uint8_t *w, const uint8_t *key)
{
    if (MODE_KEY_WORDS == 4) aes_expandkey_128(w, key);
    else aes_expandkey_256(w, key);
}

static inline void mode_encipher(uint8_t *out, const uint8_t *in, const uint8_t *w)
{
    __m128i x = aes_load(in);
    aes_encrypt_n(&x, 1, w, MODE_ROUNDS);
    aes_store(out, x);
}

/* The keystream of n blocks; the counter is two words here. */
AES_INLINE void mode_pads(__m128i *x, int n, uint64_t *hi, uint64_t *lo, const uint8_t *w)
{
    AES_UNROLL for (int i = 0; i < n; i++)
    {
        x[i] = _mm_set_epi64x((long long)BYTES_BE64(*lo), (long long)BYTES_BE64(*hi));
        *hi += ++*lo == 0;
    }
    aes_encrypt_n(x, n, w, MODE_ROUNDS);
}

static inline void mode_ctr(uint8_t *out, const uint8_t *in, uint64_t length, uint8_t *counter,
                     const uint8_t *w)
{
    uint64_t hi = load_be64(counter), lo = load_be64(counter + 8);
    __m128i x[MODE_MANY];
    for (; length >= 16 * MODE_MANY; length -= 16 * MODE_MANY, in += 16 * MODE_MANY, out += 16 * MODE_MANY) {
        mode_pads(x, MODE_MANY, &hi, &lo, w);
        AES_UNROLL for (int i = 0; i < MODE_MANY; i++)
            aes_store(out + 16 * i, _mm_xor_si128(x[i], aes_load(in + 16 * i)));
    }
    if (length > 0) {
        uint8_t pad[16 * MODE_MANY];
        const int n = length <= 16 ? 1 : length <= 64 ? 4 : MODE_MANY;
        if (n == 1) mode_pads(x, 1, &hi, &lo, w);
        else if (n == 4) mode_pads(x, 4, &hi, &lo, w);
        else mode_pads(x, MODE_MANY, &hi, &lo, w);
        for (int i = 0; i < n; i++) aes_store(pad + 16 * i, x[i]);
        xor_bytes(out, in, pad, length);
    }
    store_be64(counter, hi);
    store_be64(counter + 8, lo);
}

static inline void mode_cbc_mac(uint8_t *mac, const uint8_t *in, uint64_t blocks, const uint8_t *w)
{
    __m128i x = aes_load(mac);
    for (; blocks > 0; blocks--, in += 16) {
        x = _mm_xor_si128(x, aes_load(in));
        aes_encrypt_n(&x, 1, w, MODE_ROUNDS);
    }
    aes_store(mac, x);
}

#endif
