/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-CTR with AES-NI, eight blocks in flight, which covers the latency of
 * aesenc on every machine since 2010.  The counter is little-endian in word 0,
 * so a vector addition of words is all it takes.  What is left at the end of
 * a packet is done as exactly so many blocks.  A packet that is certain to
 * need bytes gets 48 of them in the time of its first block. */

#include "crypto_stream.h"

#include "cipher_aesni.h"

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    aes_expandkey(expanded->roundkeys, key);
}

AES_INLINE void counters(__m128i *x, int n, __m128i counter)
{
    AES_UNROLL for (int i = 0; i < n; i++)
        x[i] = _mm_add_epi32(counter, _mm_set_epi32(0, 0, 0, i));
}

/* n whole blocks. */
AES_INLINE void xor_blocks(int n, uint8_t *out, const uint8_t *in, __m128i counter,
                           const uint8_t *w)
{
    __m128i x[8];
    counters(x, n, counter);
    aes_encrypt_blocks(x, n, w);
    AES_UNROLL for (int i = 0; i < n; i++)
        aes_store(out + 16 * i, _mm_xor_si128(x[i], aes_load(in + 16 * i)));
}

/* n - 1 whole blocks and 1 to 16 bytes more. */
AES_INLINE void xor_last(int n, uint8_t *out, const uint8_t *in, uint64_t length,
                         __m128i counter, const uint8_t *w)
{
    __m128i x[8];
    uint8_t keystream[16];
    counters(x, n, counter);
    aes_encrypt_blocks(x, n, w);
    aes_store(keystream, x[n - 1]);
    AES_UNROLL for (int i = 0; i < n - 1; i++)
        aes_store(out + 16 * i, _mm_xor_si128(x[i], aes_load(in + 16 * i)));
    aes_xor_short(out + 16 * (n - 1), in + 16 * (n - 1), keystream,
                  length - 16 * (uint64_t)(n - 1));
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    __m128i x[1 + AES_AHEAD], counter = aes_load(nonce);
    state->expanded = expanded;
    aes_store(state->nonce, counter);
    if (soon == 0) {
        state->ahead_bytes = 0;
        counters(x, 1, counter);
        aes_encrypt_blocks(x, 1, expanded->roundkeys);
    } else {
        state->ahead_bytes = 16 * AES_AHEAD;
        counters(x, 1 + AES_AHEAD, counter);
        aes_encrypt_blocks(x, 1 + AES_AHEAD, expanded->roundkeys);
        AES_UNROLL for (int i = 0; i < AES_AHEAD; i++)
            aes_store(state->ahead + 16 * i, x[1 + i]);
    }
    aes_store(first, x[0]);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    const uint8_t *w = state->expanded->roundkeys;
    const __m128i eight = _mm_set_epi32(0, 0, 0, 8);
    uint64_t ahead = length < state->ahead_bytes ? length : state->ahead_bytes;
    __m128i counter = aes_load(state->nonce);

    aes_xor_short(out, in, state->ahead, ahead);
    out += ahead;
    in += ahead;
    length -= ahead;
    counter = _mm_add_epi32(counter, _mm_set_epi32(0, 0, 0, 1 + (int)(ahead / 16)));

    for (; length >= 128; length -= 128, out += 128, in += 128) {
        xor_blocks(8, out, in, counter, w);
        counter = _mm_add_epi32(counter, eight);
    }
    switch ((length + 15) / 16) {
    case 1: xor_last(1, out, in, length, counter, w); break;
    case 2: xor_last(2, out, in, length, counter, w); break;
    case 3: xor_last(3, out, in, length, counter, w); break;
    case 4: xor_last(4, out, in, length, counter, w); break;
    case 5: xor_last(5, out, in, length, counter, w); break;
    case 6: xor_last(6, out, in, length, counter, w); break;
    case 7: xor_last(7, out, in, length, counter, w); break;
    case 8: xor_last(8, out, in, length, counter, w); break;
    }
}
