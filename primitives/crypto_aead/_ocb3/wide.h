/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef OCB3_WIDE_H
#define OCB3_WIDE_H

/* AES in OCB3 mode (RFC 7253), 96-bit nonce, 128-bit tag, with AES-NI.  The names
 * are those of the RFC; offsets and L are in the order of memory.  On
 *
 *   OCB3_INLINE void ocb3_blocks(out, advance, in, blocks, ocb3_sums *, k, task)
 *
 * which takes whole blocks from the first one on.  OCB3_KEY_WORDS is 4, 6 or 8. */

#include "crypto_aead.h"

#include "bytes.h"

enum { OCB3_ROUNDS = OCB3_KEY_WORDS + 6 };
enum ocb3_task { OCB3_ENCRYPT, OCB3_DECRYPT, OCB3_HASH };

/* The offset reached; the sum of the plaintext, or that of HASH */
typedef struct {
    __m128i offset, sum;
} ocb3_sums;

static inline void ocb3_double(uint8_t *y, const uint8_t *x)
{
    const uint64_t hi = load_be64(x), lo = load_be64(x + 8);
    store_be64(y, hi << 1 | lo >> 63);
    store_be64(y + 8, lo << 1 ^ (135 & ((uint64_t)0 - (hi >> 63))));
}

/* L_{ntz(i)} */
AES_INLINE __m128i ocb3_L(uint64_t i, const crypto_aead_key *k)
{
    unsigned n = (unsigned)__builtin_ctzll(i);
    uint8_t L[16];
    if (n < OCB3_L) return aes_load(k->L[n]);
    memcpy(L, k->L[OCB3_L - 1], 16);
    for (; n >= OCB3_L; n--) ocb3_double(L, L);
    return aes_load(L);
}

AES_INLINE __m128i ocb3_encipher(__m128i x, const crypto_aead_key *k)
{
    aes_encrypt_n(&x, 1, k->w, OCB3_ROUNDS);
    return x;
}

AES_INLINE __m128i ocb3_load_short(const uint8_t *in, uint64_t length)
{
    uint8_t block[16] = {0};
    memcpy(block, in, length);
    block[length] = 0x80;
    return aes_load(block);
}

/* Offset_0: bits bottom .. bottom + 127 of Ktop || (Ktop ^ (Ktop << 8)) */
AES_INLINE __m128i ocb3_first_offset(const uint8_t *nonce, const crypto_aead_key *k)
{
    uint8_t block[16] = {0, 0, 0, 1};
    memcpy(block + 4, nonce, 12);
    const unsigned bottom = block[15] & 63;
    block[15] &= 0xc0;
    aes_store(block, ocb3_encipher(aes_load(block), k));
    const uint64_t a = load_be64(block), b = load_be64(block + 8);
    const uint64_t c = a ^ (a << 8 | b >> 56);
    const uint64_t hi = a << bottom | b >> 1 >> (63 - bottom);
    const uint64_t lo = b << bottom | c >> 1 >> (63 - bottom);
    return _mm_set_epi64x((long long)BYTES_BE64(lo), (long long)BYTES_BE64(hi));
}

#include OCB3_BLOCKS

AES_INLINE __m128i ocb3_hash(const uint8_t *ad, uint64_t ad_length, const crypto_aead_key *k)
{
    ocb3_sums h = {_mm_setzero_si128(), _mm_setzero_si128()};
    if (ad_length >= 16) ocb3_blocks(0, 0, ad, ad_length / 16, &h, k, OCB3_HASH);
    if (ad_length % 16 > 0) {
        __m128i x = ocb3_load_short(ad + ad_length / 16 * 16, ad_length % 16);
        x = _mm_xor_si128(x, _mm_xor_si128(h.offset, aes_load(k->L_star)));
        h.sum = _mm_xor_si128(h.sum, ocb3_encipher(x, k));
    }
    return h.sum;
}

/* The last 1 .. 15 bytes */
AES_INLINE void ocb3_last(uint8_t *out, const uint8_t *in, uint64_t length, ocb3_sums *s,
                          const crypto_aead_key *k, enum ocb3_task task)
{
    uint8_t block[16];
    s->offset = _mm_xor_si128(s->offset, aes_load(k->L_star));
    const __m128i x = ocb3_load_short(in, length), pad = ocb3_encipher(s->offset, k);
    aes_store(block, _mm_xor_si128(x, pad));
    memcpy(out, block, length);
    s->sum = _mm_xor_si128(s->sum, task == OCB3_ENCRYPT ? x : ocb3_load_short(block, length));
}

AES_INLINE void ocb3_crypt(uint8_t *tag, uint8_t *out, uint64_t advance, const uint8_t *in,
                           uint64_t length, const uint8_t *ad, uint64_t ad_length,
                           const uint8_t *nonce, const crypto_aead_key *k, enum ocb3_task task)
{
    const uint64_t whole = length / 16 * 16;
    ocb3_sums s = {ocb3_first_offset(nonce, k), _mm_setzero_si128()};
    ocb3_blocks(out, advance, in, length / 16, &s, k, task);
    if (length > whole) ocb3_last(out + (whole & advance), in + whole, length % 16, &s, k, task);
    __m128i x = _mm_xor_si128(s.sum, _mm_xor_si128(s.offset, aes_load(k->L_dollar)));
    x = _mm_xor_si128(ocb3_encipher(x, k), ocb3_hash(ad, ad_length, k));
    aes_store(tag, x);
}

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    switch (OCB3_KEY_WORDS) {
    case 4: aes_expandkey_128(expanded->w, key); break;
    case 6: aes_expandkey_192(expanded->w, key); break;
    default: aes_expandkey_256(expanded->w, key); break;
    }
    aes_invert_roundkeys(expanded->v, expanded->w, OCB3_ROUNDS);
    aes_store(expanded->L_star, ocb3_encipher(_mm_setzero_si128(), expanded));
    ocb3_double(expanded->L_dollar, expanded->L_star);
    ocb3_double(expanded->L[0], expanded->L_dollar);
    for (int i = 1; i < OCB3_L; i++) ocb3_double(expanded->L[i], expanded->L[i - 1]);
#ifdef OCB3_GROUP
    __m128i offset = _mm_setzero_si128();
    for (unsigned i = 1; i <= OCB3_GROUP; i++) { /* without the last L, which is the group's */
        if (i < OCB3_GROUP) offset = _mm_xor_si128(offset, ocb3_L(i, expanded));
        aes_store(expanded->within[i - 1], offset);
    }
#endif
    return 0;
}

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext,
                        uint64_t length, const uint8_t *ad, uint64_t ad_length,
                        const uint8_t *nonce, const crypto_aead_key *expanded)
{
    ocb3_crypt(packet, packet + 16, ~(uint64_t)0, plaintext, length, ad, ad_length, nonce, expanded,
               OCB3_ENCRYPT);
    return 0;
}

static int unseal(uint8_t *tag, uint8_t *out, uint64_t advance, const uint8_t *in,
                  uint64_t length, const uint8_t *ad, uint64_t ad_length,
                  const uint8_t *nonce, const crypto_aead_key *expanded)
{
    ocb3_crypt(tag, out, advance, in, length, ad, ad_length, nonce, expanded, OCB3_DECRYPT);
    return 0;
}

#include "../_open/open.h"

#endif
