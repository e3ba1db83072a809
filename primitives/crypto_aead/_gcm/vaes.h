/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-GCM with VAES and VPCLMULQDQ on 512-bit registers: sixteen blocks of
 * counter mode in four registers, and the sixteen ciphertext blocks before
 * them hashed under H^16 ... H^1 from registers, with one reduction, between
 * the rounds.  (Drucker, Gueron, Krasnov, "Making AES great again", 2018, and
 * the sources of aesni.h.)  A seventeenth power lets the last up to sixteen
 * blocks share a reduction with the length block.  Tails are byte masks.
 * Decryption hashes everything first. */

#include "crypto_aead.h"

#include "../../crypto_stream/_aes/cipher_vaes.h"
#include "ghash_clmul.h"
#include "key_clmul.h"
#include "lengths.h"
#include "verdict.h"

#define ALL (~(__mmask64)0)

typedef struct {
    __m512i lo, mid, hi; /* as ghash_sum, four sums side by side */
} sum_x4;

AES_INLINE __m512i xor3(__m512i a, __m512i b, __m512i c)
{
    return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}

AES_INLINE __m512i reverse_bytes_x4(__m512i x)
{
    const __m128i order =
        _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm512_shuffle_epi8(x, _mm512_broadcast_i32x4(order));
}

AES_INLINE sum_x4 nothing_x4(void)
{
    const __m512i zero = _mm512_setzero_si512();
    return (sum_x4){zero, zero, zero};
}

AES_INLINE void add_products(sum_x4 *s, __m512i a, __m512i b)
{
    s->lo = _mm512_xor_si512(s->lo, _mm512_clmulepi64_epi128(a, b, 0x00));
    s->mid = xor3(s->mid, _mm512_clmulepi64_epi128(a, b, 0x01),
                  _mm512_clmulepi64_epi128(a, b, 0x10));
    s->hi = _mm512_xor_si512(s->hi, _mm512_clmulepi64_epi128(a, b, 0x11));
}

/* As ghash_reduce, in each quarter; then the sum of the quarters. */
AES_INLINE __m128i reduce_x4(const sum_x4 *s)
{
    const __m512i q = _mm512_set1_epi64((long long)0xc200000000000000);
    __m512i t = xor3(s->mid, _mm512_shuffle_epi32(s->lo, 0x4e),
                     _mm512_clmulepi64_epi128(s->lo, q, 0x00));
    t = xor3(s->hi, _mm512_shuffle_epi32(t, 0x4e),
             _mm512_clmulepi64_epi128(t, q, 0x00));
    __m256i u = _mm256_xor_si256(_mm512_castsi512_si256(t),
                                 _mm512_extracti64x4_epi64(t, 1));
    return _mm_xor_si128(_mm256_castsi256_si128(u), _mm256_extracti128_si256(u, 1));
}

AES_INLINE __mmask64 mask_of(uint64_t bytes) /* 0 .. 64 */
{
    return bytes == 0 ? 0 : ALL >> (64 - bytes);
}

/* Up to 256 bytes, padded with zeros, as reversed blocks. */
AES_INLINE void load_blocks(__m512i *x, const uint8_t *data, uint64_t length)
{
    AES_UNROLL for (int i = 0; i < 4; i++) {
        uint64_t at = 64 * (uint64_t)i, n = length > at ? length - at : 0;
        __mmask64 m = n < 64 ? mask_of(n) : ALL;
        x[i] = reverse_bytes_x4(_mm512_maskz_loadu_epi8(m, data + at));
    }
}

/* n registers of reversed blocks times the powers that start at `powers`. */
AES_INLINE void add_registers(sum_x4 *s, const __m512i *x, int n, __m128i hash,
                              const uint8_t *powers)
{
    AES_UNROLL for (int i = 0; i < n; i++) {
        __m512i y = x[i];
        if (i == 0) y = _mm512_xor_si512(y, _mm512_zextsi128_si512(hash));
        add_products(s, y, _mm512_loadu_si512(powers + 64 * i));
    }
}

/* Where the powers start for so many bytes and `more` blocks after them.  A
 * last register that is not full meets zeros beyond its blocks, so what it
 * loads beyond H^1 (round keys) does not count. */
AES_INLINE const uint8_t *powers_for(const crypto_aead_key *expanded,
                                     uint64_t length, uint64_t more)
{
    return expanded->powers + 16 * (GCM_POWERS - (length + 15) / 16 - more);
}

AES_INLINE __m128i hash_long(__m128i hash, const uint8_t **data, uint64_t *length,
                             const crypto_aead_key *expanded)
{
    const uint8_t *powers = powers_for(expanded, 256, 0);
    for (; *length >= 256; *length -= 256, *data += 256) {
        __m512i x[4];
        sum_x4 s = nothing_x4();
        load_blocks(x, *data, 256);
        add_registers(&s, x, 4, hash, powers);
        hash = reduce_x4(&s);
    }
    return hash;
}

/* Adds the products of 1 .. 255 bytes, `more` blocks yet to come. */
AES_INLINE void add_end(sum_x4 *s, __m128i hash, const uint8_t *data,
                        uint64_t length, uint64_t more,
                        const crypto_aead_key *expanded)
{
    const uint8_t *powers = powers_for(expanded, length, more);
    __m512i x[4];
    load_blocks(x, data, length);
    if (length <= 64)
        add_registers(s, x, 1, hash, powers);
    else if (length <= 128)
        add_registers(s, x, 2, hash, powers);
    else
        add_registers(s, x, 4, hash, powers);
}

static __m128i hash_ad(const uint8_t *data, uint64_t length,
                       const crypto_aead_key *expanded)
{
    sum_x4 s = nothing_x4();
    __m128i hash = hash_long(_mm_setzero_si128(), &data, &length, expanded);
    if (length == 0) return hash;
    add_end(&s, hash, data, length, 0, expanded);
    return reduce_x4(&s);
}

AES_INLINE void add_length(sum_x4 *s, __m128i lengths,
                           const crypto_aead_key *expanded)
{
    __m128i power = aes_load(expanded->powers + 16 * (GCM_POWERS - 1));
    add_products(s, _mm512_zextsi128_si512(lengths), _mm512_zextsi128_si512(power));
}

/* J0, byte-reversed: the counter is the lowest 32 bits. */
AES_INLINE __m128i first_counter(const uint8_t *nonce)
{
    __m128i block = _mm_maskz_loadu_epi8(0x0fff, nonce);
    return _mm_or_si128(ghash_reverse_bytes(block), _mm_set_epi32(0, 0, 0, 1));
}

/* The four counters from J0 + first on. */
AES_INLINE __m512i counter_x4(__m128i counter, int first)
{
    __m512i offset = _mm512_set_epi32(0, 0, 0, first + 3, 0, 0, 0, first + 2,
                                      0, 0, 0, first + 1, 0, 0, 0, first);
    return _mm512_add_epi32(_mm512_broadcast_i32x4(counter), offset);
}

AES_INLINE __m512i plus(__m512i counter, int n)
{
    return _mm512_add_epi32(counter,
                            _mm512_broadcast_i32x4(_mm_set_epi32(0, 0, 0, n)));
}

AES_INLINE void counters(__m512i *x, int n, __m512i counter)
{
    AES_UNROLL for (int i = 0; i < n; i++) x[i] = reverse_bytes_x4(plus(counter, 4 * i));
}

/* The last round of n registers and the data, the last of them masked; leaves
 * what it stores in x. */
AES_INLINE void finish(__m512i *x, int n, uint8_t *out, const uint8_t *in,
                       __mmask64 mask, const uint8_t *w)
{
    __m512i k = aes_roundkey_x4(w, AES_ROUNDS);
    AES_UNROLL for (int i = 0; i < n; i++) {
        __mmask64 m = i == n - 1 ? mask : ALL;
        __m512i data = _mm512_maskz_loadu_epi8(m, in + 64 * i);
        x[i] = _mm512_aesenclast_epi128(x[i], _mm512_xor_si512(data, k));
        _mm512_mask_storeu_epi8(out + 64 * i, m, x[i]);
    }
}

AES_INLINE void crypt(__m512i *x, int n, uint8_t *out, const uint8_t *in,
                      __mmask64 mask, __m512i counter, const uint8_t *w)
{
    counters(x, n, counter);
    aes_encrypt_but_last_x4(x, n, w);
    finish(x, n, out, in, mask, w);
}

/* 256 bytes of counter mode; c holds the 256 bytes of ciphertext before and is
 * hashed between the rounds; then it holds the new ones. */
AES_INLINE __m128i crypt_and_hash(__m512i *c, uint8_t *out, const uint8_t *in,
                                  __m512i counter, __m128i hash,
                                  const crypto_aead_key *expanded)
{
    const uint8_t *w = ROUNDKEYS(expanded), *powers = powers_for(expanded, 256, 0);
    __m512i x[4], k = aes_roundkey_x4(w, 0);
    sum_x4 s = nothing_x4();
    counters(x, 4, counter);
    AES_UNROLL for (int i = 0; i < 4; i++) x[i] = _mm512_xor_si512(x[i], k);
    AES_UNROLL for (int round = 1; round < AES_ROUNDS; round++) {
        k = aes_roundkey_x4(w, round);
        AES_UNROLL for (int i = 0; i < 4; i++) x[i] = _mm512_aesenc_epi128(x[i], k);
        if (round % 2 == 1 && round < 8) {
            int i = round / 2;
            __m512i y = reverse_bytes_x4(c[i]);
            if (i == 0) y = _mm512_xor_si512(y, _mm512_zextsi128_si512(hash));
            add_products(&s, y, _mm512_loadu_si512(powers + 64 * i));
        }
    }
    finish(x, 4, out, in, ALL, w);
    AES_UNROLL for (int i = 0; i < 4; i++) c[i] = x[i];
    return reduce_x4(&s);
}

/* The packet's last 64 (n - 1) + 1 .. 64 n bytes, encrypted and hashed. */
AES_INLINE void encrypt_end(int n, sum_x4 *s, uint8_t *out, const uint8_t *in,
                            uint64_t length, __m512i counter, __m128i hash,
                            const crypto_aead_key *expanded)
{
    __mmask64 m = mask_of(length - 64 * (uint64_t)(n - 1));
    __m512i x[4];
    crypt(x, n, out, in, m, counter, ROUNDKEYS(expanded));
    x[n - 1] = _mm512_maskz_mov_epi8(m, x[n - 1]);
    AES_UNROLL for (int i = 0; i < n; i++) x[i] = reverse_bytes_x4(x[i]);
    add_registers(s, x, n, hash, powers_for(expanded, length, 1));
}

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext,
                        uint64_t length, const uint8_t *ad, uint64_t ad_length,
                        const uint8_t *nonce, const crypto_aead_key *expanded)
{
    const uint8_t *w = ROUNDKEYS(expanded), *in = plaintext;
    uint8_t *out = packet + 16;
    __m128i lengths = length_block(length, ad_length), hash;
    sum_x4 s;

    if (!gcm_lengths_allowed(length, ad_length)) return -1;
    __m128i J0 = first_counter(nonce), pad = encrypt_pad(J0, w);
    __m512i counter = counter_x4(J0, 1);
    hash = hash_ad(ad, ad_length, expanded);
    if (length >= 256) {
        __m512i c[4];
        crypt(c, 4, out, in, ALL, counter, w);
        for (;;) {
            counter = plus(counter, 16);
            out += 256;
            in += 256;
            length -= 256;
            if (length < 256) break;
            hash = crypt_and_hash(c, out, in, counter, hash, expanded);
        }
        AES_UNROLL for (int i = 0; i < 4; i++) c[i] = reverse_bytes_x4(c[i]);
        s = nothing_x4();
        add_registers(&s, c, 4, hash, powers_for(expanded, 256, 0));
        hash = reduce_x4(&s);
    }
    s = nothing_x4();
    switch ((length + 63) / 64) {
    case 0: lengths = _mm_xor_si128(lengths, hash); break;
    case 1: encrypt_end(1, &s, out, in, length, counter, hash, expanded); break;
    case 2: encrypt_end(2, &s, out, in, length, counter, hash, expanded); break;
    case 3: encrypt_end(3, &s, out, in, length, counter, hash, expanded); break;
    case 4: encrypt_end(4, &s, out, in, length, counter, hash, expanded); break;
    }
    add_length(&s, lengths, expanded);
    hash = reduce_x4(&s);
    aes_store(packet, _mm_xor_si128(ghash_reverse_bytes(hash), pad));
    return 0;
}

AES_INLINE void decrypt_end(int n, uint8_t *out, const uint8_t *in, uint64_t length,
                            __m512i counter, const uint8_t *w)
{
    __m512i x[8];
    crypt(x, n, out, in, mask_of(length - 64 * (uint64_t)(n - 1)), counter, w);
}

AES_INLINE void decrypt_all(uint8_t *out, const uint8_t *in, uint64_t length,
                            __m512i counter, const uint8_t *w)
{
    for (; length >= 512; length -= 512, out += 512, in += 512) {
        __m512i x[8];
        crypt(x, 8, out, in, ALL, counter, w);
        counter = plus(counter, 32);
    }
    switch ((length + 63) / 64) {
    case 1: decrypt_end(1, out, in, length, counter, w); break;
    case 2: decrypt_end(2, out, in, length, counter, w); break;
    case 3: decrypt_end(3, out, in, length, counter, w); break;
    case 4: decrypt_end(4, out, in, length, counter, w); break;
    case 5: decrypt_end(5, out, in, length, counter, w); break;
    case 6: decrypt_end(6, out, in, length, counter, w); break;
    case 7: decrypt_end(7, out, in, length, counter, w); break;
    case 8: decrypt_end(8, out, in, length, counter, w); break;
    }
}

int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet,
                        uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce,
                        const crypto_aead_key *expanded)
{
    const uint8_t *w = ROUNDKEYS(expanded), *data = packet + 16;
    uint64_t length = packet_length - 16, left = length;
    __m128i lengths = length_block(length, ad_length), hash;
    sum_x4 s = nothing_x4();

    if (packet_length < 16 || !gcm_lengths_allowed(length, ad_length)) return -1;
    __m128i J0 = first_counter(nonce), pad = encrypt_pad(J0, w);
    hash = hash_ad(ad, ad_length, expanded);
    hash = hash_long(hash, &data, &left, expanded);
    if (left > 0)
        add_end(&s, hash, data, left, 1, expanded);
    else
        lengths = _mm_xor_si128(lengths, hash);
    add_length(&s, lengths, expanded);
    hash = ghash_reverse_bytes(reduce_x4(&s));
    hash = _mm_ternarylogic_epi64(hash, pad, aes_load(packet), 0x96);
    if (verdict(!_mm_testz_si128(hash, hash))) return -1;
    decrypt_all(plaintext, packet + 16, length, counter_x4(J0, 1), w);
    return 0;
}
