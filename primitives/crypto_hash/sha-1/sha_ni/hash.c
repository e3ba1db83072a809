/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* SHA-1 with the SHA instructions: four rounds an instruction on (a, b, c, d),
 * highest lane first; e of the next four comes from a of the former (Intel SDM
 * vol. 2, SHA1RNDS4, SHA1NEXTE, SHA1MSG1, SHA1MSG2).  Constants: FIPS 180-4,
 * section 5.3.1. */
#include <immintrin.h>

#include "crypto_hash.h"

#include "bytes.h"

#define HASH_WORD uint32_t
#define HASH_STORE store_be32
#define HASH_BLOCK 64
#define HASH_LENGTH 8

static const uint32_t hash_start_value[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};

/* Twenty rounds of the function and constant that the instruction calls f. */
#define TWENTY(f)                                         \
    for (unsigned g = 5 * (f); g < 5 * (f) + 5; g++) {    \
        const __m128i now = abcd;                         \
        const __m128i sum = g ? _mm_sha1nexte_epu32(before, w[g]) : _mm_add_epi32(e, w[0]); \
        abcd = _mm_sha1rnds4_epu32(abcd, sum, f);         \
        before = now;                                     \
    }

static inline void schedule(__m128i *w, const uint8_t *in)
{
    const __m128i swap = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);
    for (unsigned g = 0; g < 4; g++)
        w[g] = _mm_shuffle_epi8(_mm_loadu_si128((const void *)(in + 16 * g)), swap);
    for (unsigned g = 4; g < 20; g++)
        w[g] = _mm_sha1msg2_epu32(_mm_xor_si128(_mm_sha1msg1_epu32(w[g - 4], w[g - 3]), w[g - 2]), w[g - 1]);
}

static void hash_blocks(uint32_t *s, const uint8_t *in, uint64_t blocks)
{
    __m128i abcd = _mm_shuffle_epi32(_mm_loadu_si128((const void *)s), 0x1b);
    __m128i e = _mm_set_epi32((int)s[4], 0, 0, 0);
    for (; blocks > 0; blocks--, in += HASH_BLOCK) {
        const __m128i start = abcd;
        __m128i w[20], before = abcd;
        schedule(w, in);
        TWENTY(0)
        TWENTY(1)
        TWENTY(2)
        TWENTY(3)
        e = _mm_sha1nexte_epu32(before, e);
        abcd = _mm_add_epi32(abcd, start);
    }
    _mm_storeu_si128((void *)s, _mm_shuffle_epi32(abcd, 0x1b));
    s[4] = (uint32_t)_mm_extract_epi32(e, 3);
}

#include "../../_merkle-damgard/merkle_damgard.h"
