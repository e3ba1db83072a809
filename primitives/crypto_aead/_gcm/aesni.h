/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-GCM with AES-NI and PCLMULQDQ.  Counter mode runs on eight blocks; while
 * their rounds run, the eight ciphertext blocks before them are hashed, one a
 * round, under H^8 ... H^1 with one reduction (Gueron and Kounavis, section
 * "aggregated reduction"; Gopal and others, "Optimized Galois-Counter-Mode
 * implementation on Intel architecture processors", 2010, for the stitching).
 * A packet's last blocks and its length block share one reduction.  Decryption
 * hashes everything first, so that a forgery costs no more than the hash and
 * one block of AES. */

#include "crypto_aead.h"

#include "ghash_clmul.h"
#include "key_clmul.h"
#include "lengths.h"
#include "verdict.h"

/* Bytes n .. 15 become zero. */
AES_INLINE __m128i keep_bytes(__m128i x, uint64_t n)
{
    static const uint8_t mask[32] = {255, 255, 255, 255, 255, 255, 255, 255,
                                     255, 255, 255, 255, 255, 255, 255, 255};
    return _mm_and_si128(x, aes_load(mask + 16 - n));
}

/* 1 to 15 bytes, padded with zeros, without reading beyond them. */
AES_INLINE __m128i load_short(const uint8_t *p, uint64_t n)
{
    uint64_t low = 0, high = 0, at = 0;
    if (n >= 8) {
        memcpy(&low, p, 8);
        memcpy(&high, p + n - 8, 8);
        return _mm_set_epi64x((long long)(n > 8 ? high >> (128 - 8 * n) : 0),
                              (long long)low);
    }
    if (n & 4) {
        uint32_t x;
        memcpy(&x, p, 4);
        low = x;
        at = 4;
    }
    for (; at < n; at++) low |= (uint64_t)p[at] << 8 * at;
    return _mm_set_epi64x(0, (long long)low);
}

AES_INLINE void store_short(uint8_t *p, __m128i x, uint64_t n)
{
    uint64_t part = (uint64_t)_mm_cvtsi128_si64(x);
    if (n & 8) {
        memcpy(p, &part, 8);
        p += 8;
        part = (uint64_t)_mm_extract_epi64(x, 1);
    }
    if (n & 4) {
        memcpy(p, &part, 4);
        p += 4;
        part >>= 32;
    }
    for (n &= 3; n > 0; n--, part >>= 8) *p++ = (uint8_t)part;
}

/* n whole blocks, n <= 8, added under H^(n+more) ... H^(1+more), and the hash
 * so far with the first of them. */
AES_INLINE void add_blocks(ghash_sum *s, __m128i *hash, const uint8_t *data,
                           uint64_t n, uint64_t more, const uint8_t *powers)
{
    powers += 16 * (GCM_POWERS - n - more);
    for (; n > 0; n--, data += 16, powers += 16) {
        __m128i x = _mm_xor_si128(ghash_reverse_bytes(aes_load(data)), *hash);
        ghash_add_product(s, x, aes_load(powers));
        *hash = _mm_setzero_si128();
    }
}

static const ghash_sum nothing;

/* hash(data padded with zeros); n / 16 blocks remain when n < 128. */
AES_INLINE __m128i hash_long(__m128i hash, const uint8_t **data, uint64_t *length,
                             const uint8_t *powers)
{
    for (; *length >= 128; *length -= 128, *data += 128) {
        ghash_sum s = nothing;
        add_blocks(&s, &hash, *data, 8, 0, powers);
        hash = ghash_reduce(&s);
    }
    return hash;
}

static __m128i hash_ad(const uint8_t *data, uint64_t length, const uint8_t *powers)
{
    ghash_sum s = nothing;
    __m128i hash = hash_long(_mm_setzero_si128(), &data, &length, powers);
    uint64_t blocks = length / 16, tail = length % 16;
    if (length == 0) return hash;
    add_blocks(&s, &hash, data, blocks, tail > 0, powers);
    if (tail > 0) {
        __m128i x = ghash_reverse_bytes(load_short(data + 16 * blocks, tail));
        ghash_add_product(&s, _mm_xor_si128(x, hash),
                          aes_load(powers + 16 * (GCM_POWERS - 1)));
    }
    return ghash_reduce(&s);
}

/* The last up to 7 whole ciphertext blocks, the short one (zeros if there is
 * none; byte-reversed) and the lengths, under one reduction. */
AES_INLINE __m128i hash_end(__m128i hash, const uint8_t *data, uint64_t blocks,
                            int is_short, __m128i short_block, __m128i lengths,
                            const uint8_t *powers)
{
    ghash_sum s = nothing;
    if (blocks + (uint64_t)is_short == 8) { /* no power is left for lengths */
        add_blocks(&s, &hash, data, blocks, 1, powers);
        short_block = _mm_xor_si128(short_block, hash);
        ghash_add_product(&s, short_block, aes_load(powers + 16 * (GCM_POWERS - 1)));
        hash = ghash_reduce(&s);
        s = nothing;
    } else {
        add_blocks(&s, &hash, data, blocks, 1 + (uint64_t)is_short, powers);
        if (is_short) {
            short_block = _mm_xor_si128(short_block, hash);
            ghash_add_product(&s, short_block,
                              aes_load(powers + 16 * (GCM_POWERS - 2)));
            hash = _mm_setzero_si128();
        }
    }
    ghash_add_product(&s, _mm_xor_si128(lengths, hash),
                      aes_load(powers + 16 * (GCM_POWERS - 1)));
    return ghash_reduce(&s);
}

/* J0, byte-reversed: the counter is the lowest 32 bits. */
AES_INLINE __m128i first_counter(const uint8_t *nonce)
{
    uint8_t block[16] = {0};
    memcpy(block, nonce, 12);
    block[15] = 1;
    return ghash_reverse_bytes(aes_load(block));
}

AES_INLINE void counters(__m128i *x, int n, __m128i counter)
{
    AES_UNROLL for (int i = 0; i < n; i++)
        x[i] = ghash_reverse_bytes(
            _mm_add_epi32(counter, _mm_set_epi32(0, 0, 0, i)));
}

AES_INLINE void xor_blocks(const __m128i *x, int n, uint8_t *out, const uint8_t *in)
{
    AES_UNROLL for (int i = 0; i < n; i++)
        aes_store(out + 16 * i, _mm_xor_si128(x[i], aes_load(in + 16 * i)));
}

/* Eight blocks of counter mode, and meanwhile eight blocks of hash. */
AES_INLINE __m128i crypt_and_hash(uint8_t *out, const uint8_t *in, __m128i counter,
                                  const uint8_t *w, __m128i hash,
                                  const uint8_t *data, const uint8_t *powers)
{
    __m128i x[8], k = aes_load(w);
    ghash_sum s = nothing;
    counters(x, 8, counter);
    AES_UNROLL for (int i = 0; i < 8; i++) x[i] = _mm_xor_si128(x[i], k);
    AES_UNROLL for (int round = 1; round < AES_ROUNDS; round++) {
        k = aes_load(w + 16 * round);
        AES_UNROLL for (int i = 0; i < 8; i++) x[i] = _mm_aesenc_si128(x[i], k);
        if (round <= 8) {
            __m128i y = ghash_reverse_bytes(aes_load(data + 16 * (round - 1)));
            if (round == 1) y = _mm_xor_si128(y, hash);
            ghash_add_product(
                &s, y, aes_load(powers + 16 * (GCM_POWERS - 8 + round - 1)));
        }
    }
    k = aes_load(w + 16 * AES_ROUNDS);
    AES_UNROLL for (int i = 0; i < 8; i++) x[i] = _mm_aesenclast_si128(x[i], k);
    xor_blocks(x, 8, out, in);
    return ghash_reduce(&s);
}

/* n - 1 whole blocks; returns the keystream for what follows them. */
AES_INLINE __m128i crypt_n(int n, uint8_t *out, const uint8_t *in, __m128i counter,
                           const uint8_t *w)
{
    __m128i x[8];
    counters(x, n, counter);
    aes_encrypt_blocks(x, n, w);
    xor_blocks(x, n - 1, out, in);
    return x[n - 1];
}

AES_INLINE __m128i crypt_end(uint64_t n, uint8_t *out, const uint8_t *in,
                             __m128i counter, const uint8_t *w)
{
    switch (n) {
    case 1: return crypt_n(1, out, in, counter, w);
    case 2: return crypt_n(2, out, in, counter, w);
    case 3: return crypt_n(3, out, in, counter, w);
    case 4: return crypt_n(4, out, in, counter, w);
    case 5: return crypt_n(5, out, in, counter, w);
    case 6: return crypt_n(6, out, in, counter, w);
    case 7: return crypt_n(7, out, in, counter, w);
    default: return crypt_n(8, out, in, counter, w);
    }
}

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext,
                        uint64_t length, const uint8_t *ad, uint64_t ad_length,
                        const uint8_t *nonce, const crypto_aead_key *expanded)
{
    const uint8_t *w = ROUNDKEYS(expanded), *in = plaintext;
    const __m128i one = _mm_set_epi32(0, 0, 0, 1), eight = _mm_set_epi32(0, 0, 0, 8);
    uint8_t *out = packet + 16;
    __m128i lengths = length_block(length, ad_length), hash, end;

    if (!gcm_lengths_allowed(length, ad_length)) return -1;
    __m128i counter = first_counter(nonce), pad = encrypt_pad(counter, w);
    hash = hash_ad(ad, ad_length, expanded->powers);
    counter = _mm_add_epi32(counter, one);
    if (length >= 128) {
        __m128i x[8];
        ghash_sum s = nothing;
        counters(x, 8, counter);
        aes_encrypt_blocks(x, 8, w);
        xor_blocks(x, 8, out, in);
        counter = _mm_add_epi32(counter, eight);
        out += 128;
        in += 128;
        length -= 128;
        for (; length >= 128; length -= 128, out += 128, in += 128) {
            hash = crypt_and_hash(out, in, counter, w, hash, out - 128,
                                  expanded->powers);
            counter = _mm_add_epi32(counter, eight);
        }
        add_blocks(&s, &hash, out - 128, 8, 0, expanded->powers);
        hash = ghash_reduce(&s);
    }
    uint64_t blocks = length / 16, tail = length % 16;
    end = _mm_setzero_si128();
    if (length > 0) {
        uint64_t at = 16 * ((length - 1) / 16);
        end = crypt_end((length + 15) / 16, out, in, counter, w);
        if (tail == 0) {
            end = _mm_xor_si128(end, aes_load(in + at));
            aes_store(out + at, end);
        } else {
            end = _mm_xor_si128(end, load_short(in + at, tail));
            end = keep_bytes(end, tail);
            store_short(out + at, end, tail);
        }
    }
    hash = hash_end(hash, out, blocks, tail > 0, ghash_reverse_bytes(end), lengths,
                    expanded->powers);
    aes_store(packet, _mm_xor_si128(ghash_reverse_bytes(hash), pad));
    return 0;
}

AES_INLINE void decrypt_all(uint8_t *out, const uint8_t *in, uint64_t length,
                            __m128i counter, const uint8_t *w)
{
    for (; length >= 128; length -= 128, out += 128, in += 128) {
        __m128i x[8];
        counters(x, 8, counter);
        aes_encrypt_blocks(x, 8, w);
        xor_blocks(x, 8, out, in);
        counter = _mm_add_epi32(counter, _mm_set_epi32(0, 0, 0, 8));
    }
    if (length > 0) {
        uint64_t at = 16 * ((length - 1) / 16);
        uint8_t keystream[16];
        aes_store(keystream, crypt_end((length + 15) / 16, out, in, counter, w));
        aes_xor_short(out + at, in + at, keystream, length - at);
    }
}

int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet,
                        uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce,
                        const crypto_aead_key *expanded)
{
    const uint8_t *w = ROUNDKEYS(expanded), *data = packet + 16;
    uint64_t length = packet_length - 16, left = length;

    if (packet_length < 16 || !gcm_lengths_allowed(length, ad_length)) return -1;
    __m128i counter = first_counter(nonce), pad = encrypt_pad(counter, w);
    __m128i hash = hash_ad(ad, ad_length, expanded->powers);
    hash = hash_long(hash, &data, &left, expanded->powers);
    uint64_t blocks = left / 16, tail = left % 16;
    __m128i end = _mm_setzero_si128();
    if (tail > 0) end = load_short(data + 16 * blocks, tail);
    hash = hash_end(hash, data, blocks, tail > 0, ghash_reverse_bytes(end),
                    length_block(length, ad_length), expanded->powers);
    hash = _mm_xor_si128(_mm_xor_si128(ghash_reverse_bytes(hash), pad),
                         aes_load(packet));
    if (verdict(!_mm_testz_si128(hash, hash))) return -1;
    counter = _mm_add_epi32(counter, _mm_set_epi32(0, 0, 0, 1));
    decrypt_all(plaintext, packet + 16, length, counter, w);
    return 0;
}
