/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* LEX version 1 with AES-NI: a round is one aesenc, and all ten are alike.
 * The rounds are one chain, so nothing but its latency counts: the key
 * addition between two E is folded into round 10 (the chain has rk[10] ^
 * rk[0], the leak takes rk[0] out again), and the leaks of up to four rounds
 * are shuffled into place beside the chain.  A packet's start stops after the
 * four rounds that give 16 bytes. */

#include "crypto_stream.h"

#define AES_ROUNDS 10
#include "../../_aes/cipher_aesni.h"

typedef struct {
    __m128i rk[11], between; /* between = rk[10] ^ rk[0] */
} schedule;

AES_INLINE void load_schedule(schedule *k, const uint8_t *w)
{
    AES_UNROLL for (int i = 0; i < 11; i++) k->rk[i] = aes_load(w + 16 * i);
    k->between = _mm_xor_si128(k->rk[10], k->rk[0]);
}

/* What an odd and the next even round leak, as word `to` and word to + 1 of
 * the result.  Rows 0, 2 of columns 0, 2; then rows 1, 3 of columns 1, 3. */
AES_INLINE __m128i leaks(__m128i odd, __m128i even, int to)
{
    const int first = 0x0008020a, second = 0x050d070f, none = -1;
    __m128i pick_odd = to == 0 ? _mm_set_epi32(none, none, none, first)
                               : _mm_set_epi32(none, first, none, none);
    __m128i pick_even = to == 0 ? _mm_set_epi32(none, none, second, none)
                                : _mm_set_epi32(second, none, none, none);
    return _mm_or_si128(_mm_shuffle_epi8(odd, pick_odd),
                        _mm_shuffle_epi8(even, pick_even));
}

/* Rounds r .. r + 3, r = 1 or 5: 16 bytes of keystream. */
AES_INLINE __m128i four_rounds(__m128i *s, const schedule *k, int r)
{
    __m128i a = _mm_aesenc_si128(*s, k->rk[r]);
    __m128i b = _mm_aesenc_si128(a, k->rk[r + 1]);
    __m128i c = _mm_aesenc_si128(b, k->rk[r + 2]);
    *s = _mm_aesenc_si128(c, k->rk[r + 3]);
    return _mm_or_si128(leaks(a, b, 0), leaks(c, *s, 2));
}

/* Rounds 9 and 10 and the key addition of the next E: 8 bytes. */
AES_INLINE __m128i last_rounds(__m128i *s, const schedule *k)
{
    __m128i a = _mm_aesenc_si128(*s, k->rk[9]);
    *s = _mm_aesenc_si128(a, k->between);
    return leaks(a, _mm_xor_si128(*s, k->rk[0]), 0);
}

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    aes_expandkey(expanded->roundkeys, key);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    const __m128i reverse_words =
        _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    schedule k;
    __m128i s = _mm_shuffle_epi8(aes_load(nonce), reverse_words);
    (void)soon;
    load_schedule(&k, expanded->roundkeys);
    s = _mm_xor_si128(s, k.rk[0]);
    AES_UNROLL for (int round = 1; round < 10; round++)
        s = _mm_aesenc_si128(s, k.rk[round]);
    s = _mm_aesenc_si128(s, k.between);
    aes_store(first, four_rounds(&s, &k, 1));
    aes_store(state->s, s);
    state->expanded = expanded;
}

typedef struct {
    uint8_t *out;
    const uint8_t *in;
    uint64_t length;
} work;

/* size = 16 or 8 more bytes, or the last ones; 1 if there is more to do. */
AES_INLINE int emit(work *p, __m128i keystream, uint64_t size)
{
    if (p->length <= size) {
        uint8_t buffer[16];
        aes_store(buffer, keystream);
        aes_xor_short(p->out, p->in, buffer, p->length);
        return 0;
    }
    if (size == 16) {
        aes_store(p->out, _mm_xor_si128(keystream, aes_load(p->in)));
    } else {
        __m128i data = _mm_loadl_epi64((const __m128i *)p->in);
        _mm_storel_epi64((__m128i *)p->out, _mm_xor_si128(keystream, data));
    }
    p->out += size;
    p->in += size;
    p->length -= size;
    return 1;
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    work p = {out, in, length};
    schedule k;
    __m128i s = aes_load(state->s);
    load_schedule(&k, state->expanded->roundkeys);
    while (emit(&p, four_rounds(&s, &k, 5), 16) && emit(&p, last_rounds(&s, &k), 8) &&
           emit(&p, four_rounds(&s, &k, 1), 16)) {
    }
}
