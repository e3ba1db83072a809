/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-CTR with VAES on 512-bit registers, 32 blocks in flight.  The tail of a
 * packet is done as exactly as many registers as it touches, the last one
 * under a byte mask.  The first block runs alone in a 128-bit register; a
 * packet that is certain to need bytes gets the next 64 beside it in the same
 * time, and the rest then starts at a multiple of 64.  The data are XORed to
 * the last round key, off the chain of rounds. */

#include "crypto_stream.h"

#include "cipher_vaes.h"

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    aes_expandkey(expanded->roundkeys, key);
}

/* Blocks counter + first, + first + 1, + first + 2, + first + 3. */
AES_INLINE __m512i counter_x4(__m128i counter, int first)
{
    __m512i offset = _mm512_set_epi32(0, 0, 0, first + 3, 0, 0, 0, first + 2,
                                      0, 0, 0, first + 1, 0, 0, 0, first);
    return _mm512_add_epi32(_mm512_broadcast_i32x4(counter), offset);
}

/* n registers; the last has the bytes of mask (all, if it is a constant -1). */
AES_INLINE void xor_registers(int n, uint8_t *out, const uint8_t *in,
                              __mmask64 mask, __m512i counter, const uint8_t *w)
{
    const __m512i four = _mm512_broadcast_i32x4(_mm_set_epi32(0, 0, 0, 4));
    const __m512i k = aes_roundkey_x4(w, AES_ROUNDS);
    __m512i x[8];
    AES_UNROLL for (int i = 0; i < n; i++, counter = _mm512_add_epi32(counter, four))
        x[i] = counter;
    aes_encrypt_but_last_x4(x, n, w);
    AES_UNROLL for (int i = 0; i < n; i++) {
        __mmask64 m = i == n - 1 ? mask : ~(__mmask64)0;
        __m512i data = _mm512_maskz_loadu_epi8(m, in + 64 * i);
        data = _mm512_aesenclast_epi128(x[i], _mm512_xor_si512(data, k));
        _mm512_mask_storeu_epi8(out + 64 * i, m, data);
    }
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    const uint8_t *w = expanded->roundkeys;
    __m128i x = aes_load(nonce), k = aes_load(w);
    __m512i y = counter_x4(x, 1), kk = _mm512_broadcast_i32x4(k);
    state->expanded = expanded;
    state->ahead_bytes = 0;
    aes_store(state->nonce, x);
    if (soon == 0) {
        aes_encrypt_blocks(&x, 1, w);
        aes_store(first, x);
        return;
    }
    x = _mm_xor_si128(x, k);
    y = _mm512_xor_si512(y, kk);
    AES_UNROLL for (int round = 1; round < AES_ROUNDS; round++) {
        k = aes_load(w + 16 * round);
        x = _mm_aesenc_si128(x, k);
        y = _mm512_aesenc_epi128(y, _mm512_broadcast_i32x4(k));
    }
    k = aes_load(w + 16 * AES_ROUNDS);
    aes_store(first, _mm_aesenclast_si128(x, k));
    y = _mm512_aesenclast_epi128(y, _mm512_broadcast_i32x4(k));
    _mm512_storeu_si512(state->ahead, y);
    state->ahead_bytes = 64;
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    const uint8_t *w = state->expanded->roundkeys;
    const __m512i next = _mm512_broadcast_i32x4(_mm_set_epi32(0, 0, 0, 32));
    const __mmask64 all = ~(__mmask64)0;
    __m512i counter = counter_x4(aes_load(state->nonce), 1);

    if (state->ahead_bytes != 0) {
        __mmask64 m = length < 64 ? all >> (63 - length) >> 1 : all;
        __m512i x = _mm512_maskz_loadu_epi8(m, in);
        x = _mm512_xor_si512(x, _mm512_loadu_si512(state->ahead));
        _mm512_mask_storeu_epi8(out, m, x);
        if (length <= 64) return;
        out += 64;
        in += 64;
        length -= 64;
        counter = counter_x4(aes_load(state->nonce), 5);
    }
    for (; length >= 512; length -= 512, out += 512, in += 512) {
        xor_registers(8, out, in, all, counter, w);
        counter = _mm512_add_epi32(counter, next);
    }
    if (length == 0) return;
    __mmask64 m = all >> (63 - (length - 1) % 64);
    switch ((length + 63) / 64) {
    case 1: xor_registers(1, out, in, m, counter, w); break;
    case 2: xor_registers(2, out, in, m, counter, w); break;
    case 3: xor_registers(3, out, in, m, counter, w); break;
    case 4: xor_registers(4, out, in, m, counter, w); break;
    case 5: xor_registers(5, out, in, m, counter, w); break;
    case 6: xor_registers(6, out, in, m, counter, w); break;
    case 7: xor_registers(7, out, in, m, counter, w); break;
    case 8: xor_registers(8, out, in, m, counter, w); break;
    }
}
