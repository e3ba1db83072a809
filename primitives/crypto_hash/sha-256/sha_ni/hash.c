/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* SHA-256 with the SHA instructions: two rounds an instruction on the state as
 * (a, b, e, f) and (c, d, g, h), highest lane first; four words of the message
 * schedule at once (Intel SDM vol. 2, SHA256RNDS2, SHA256MSG1, SHA256MSG2).
 * Constants: FIPS 180-4, sections 4.2.2 and 5.3.3. */
#include <immintrin.h>

#include "crypto_hash.h"

#include "bytes.h"
#include "sha256_constants.h"

#define HASH_WORD uint32_t
#define HASH_STORE store_be32
#define HASH_BLOCK 64
#define HASH_LENGTH 8

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
        four_rounds(abef, cdgh, w0, sha256_k + t);
        four_rounds(abef, cdgh, w1, sha256_k + t + 4);
        four_rounds(abef, cdgh, w2, sha256_k + t + 8);
        four_rounds(abef, cdgh, w3, sha256_k + t + 12);
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
