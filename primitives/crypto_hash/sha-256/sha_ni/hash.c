/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* SHA-256 with the SHA instructions: two rounds an instruction on the state as
 * (a, b, e, f) and (c, d, g, h), highest lane first; four words of the message
 * schedule at once (Intel SDM vol. 2, SHA256RNDS2, SHA256MSG1, SHA256MSG2).
 * Constants: FIPS 180-4, sections 4.2.2 and 5.3.3. */
#include <immintrin.h>

#include "crypto_hash.h"

#include "bytes.h"

#define HASH_WORD uint32_t
#define HASH_STORE store_be32
#define HASH_BLOCK 64
#define HASH_LENGTH 8

static const uint32_t k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static const uint32_t hash_start_value[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static inline __m128i load(const void *p)
{
    return _mm_loadu_si128(p);
}

static inline void four_rounds(__m128i *abef, __m128i *cdgh, __m128i words, const uint32_t *constants)
{
    const __m128i sum = _mm_add_epi32(words, load(constants));
    *cdgh = _mm_sha256rnds2_epu32(*cdgh, *abef, sum);
    *abef = _mm_sha256rnds2_epu32(*abef, *cdgh, _mm_shuffle_epi32(sum, 0x0e));
}

static inline __m128i next_words(__m128i w0, __m128i w1, __m128i w2, __m128i w3)
{
    const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4));
    return _mm_sha256msg2_epu32(sum, w3);
}

static inline void hash_block(__m128i *abef, __m128i *cdgh, const uint8_t *in)
{
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const __m128i abef_before = *abef, cdgh_before = *cdgh;
    __m128i w0 = _mm_shuffle_epi8(load(in), swap), w1 = _mm_shuffle_epi8(load(in + 16), swap);
    __m128i w2 = _mm_shuffle_epi8(load(in + 32), swap), w3 = _mm_shuffle_epi8(load(in + 48), swap);
    for (unsigned t = 0;; t += 16) {
        four_rounds(abef, cdgh, w0, k + t);
        four_rounds(abef, cdgh, w1, k + t + 4);
        four_rounds(abef, cdgh, w2, k + t + 8);
        four_rounds(abef, cdgh, w3, k + t + 12);
        if (t == 48) break;
        w0 = next_words(w0, w1, w2, w3);
        w1 = next_words(w1, w2, w3, w0);
        w2 = next_words(w2, w3, w0, w1);
        w3 = next_words(w3, w0, w1, w2);
    }
    *abef = _mm_add_epi32(*abef, abef_before);
    *cdgh = _mm_add_epi32(*cdgh, cdgh_before);
}

static void hash_blocks(uint32_t *s, const uint8_t *in, uint64_t blocks)
{
    const __m128i badc = _mm_shuffle_epi32(load(s), 0xb1), hgfe = _mm_shuffle_epi32(load(s + 4), 0x1b);
    __m128i abef = _mm_alignr_epi8(badc, hgfe, 8), cdgh = _mm_blend_epi16(hgfe, badc, 0xf0);
    for (; blocks > 0; blocks--, in += HASH_BLOCK) hash_block(&abef, &cdgh, in);
    const __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128((void *)s, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((void *)(s + 4), _mm_alignr_epi8(dchg, feba, 8));
}

#include "../../_merkle-damgard/merkle_damgard.h"
