/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SHA2_SMALL_NI_H
#define SHA2_SMALL_NI_H

/* The compression functions of sha2_small.h on the SHA instructions, as Intel's
 * manual describes them: sha256rnds2 takes the state as (a b e f) and (c d g h)
 * and makes two rounds; sha1rnds4 makes four. */

#include <immintrin.h>

/* The SHA instructions have no AVX form: after a wide vector, each change between
 * these and AVX ones costs some 70 cycles while upper halves are in use. */
static inline void sha_ni_enter(void)
{
#ifdef __AVX__
    _mm256_zeroupper();
#endif
}

static inline __m128i sha_ni_load(const void *p)
{
    return _mm_loadu_si128((const __m128i *)p);
}

static void sha256_compress(uint32_t state[8], const uint8_t *in, uint64_t blocks)
{
    sha_ni_enter();
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
    __m128i abcd = _mm_shuffle_epi32(sha_ni_load(state), 0xb1);
    __m128i efgh = _mm_shuffle_epi32(sha_ni_load(state + 4), 0x1b);
    __m128i abef = _mm_alignr_epi8(abcd, efgh, 8);
    __m128i cdgh = _mm_blend_epi16(efgh, abcd, 0xf0);

    for (; blocks > 0; blocks--, in += 64) {
        const __m128i abef0 = abef, cdgh0 = cdgh;
        __m128i w[4];
        for (int i = 0; i < 4; i++)
            w[i] = _mm_shuffle_epi8(sha_ni_load(in + 16 * i), swap);
#pragma GCC unroll 16
        for (int i = 0; i < 16; i++) {
            __m128i kw = _mm_add_epi32(w[i % 4], sha_ni_load(sha256_k + 4 * i));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, kw);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(kw, 0x0e));
            if (i < 12) { /* the words of round 4(i + 4) and on */
                __m128i t = _mm_sha256msg1_epu32(w[i % 4], w[(i + 1) % 4]);
                t = _mm_add_epi32(
                    t, _mm_alignr_epi8(w[(i + 3) % 4], w[(i + 2) % 4], 4));
                w[i % 4] = _mm_sha256msg2_epu32(t, w[(i + 3) % 4]);
            }
        }
        abef = _mm_add_epi32(abef, abef0);
        cdgh = _mm_add_epi32(cdgh, cdgh0);
    }
    abcd = _mm_shuffle_epi32(abef, 0x1b); /* f e b a -> a b e f */
    cdgh = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(abcd, cdgh, 0xf0));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(cdgh, abcd, 8));
}

static void sha1_compress(uint32_t state[8], const uint8_t *in, uint64_t blocks)
{
    sha_ni_enter();
    const __m128i swap = _mm_set_epi64x(0x0001020304050607LL, 0x08090a0b0c0d0e0fLL);
    __m128i abcd = _mm_shuffle_epi32(sha_ni_load(state), 0x1b);
    __m128i e = _mm_set_epi32((int)state[4], 0, 0, 0);

    for (; blocks > 0; blocks--, in += 64) {
        const __m128i abcd0 = abcd, e0 = e;
        __m128i w[4], before = abcd;
        for (int i = 0; i < 4; i++)
            w[i] = _mm_shuffle_epi8(sha_ni_load(in + 16 * i), swap);
#pragma GCC unroll 20
        for (int i = 0; i < 20; i++) {
            /* e of this group of four rounds is a rotated a of the group before */
            __m128i ew = i == 0 ? _mm_add_epi32(e, w[0])
                                : _mm_sha1nexte_epu32(before, w[i % 4]);
            before = abcd;
            switch (i / 5) {
            case 0: abcd = _mm_sha1rnds4_epu32(abcd, ew, 0); break;
            case 1: abcd = _mm_sha1rnds4_epu32(abcd, ew, 1); break;
            case 2: abcd = _mm_sha1rnds4_epu32(abcd, ew, 2); break;
            default: abcd = _mm_sha1rnds4_epu32(abcd, ew, 3); break;
            }
            if (i < 16) {
                __m128i t = _mm_sha1msg1_epu32(w[i % 4], w[(i + 1) % 4]);
                t = _mm_xor_si128(t, w[(i + 2) % 4]);
                w[i % 4] = _mm_sha1msg2_epu32(t, w[(i + 3) % 4]);
            }
        }
        e = _mm_sha1nexte_epu32(before, e0);
        abcd = _mm_add_epi32(abcd, abcd0);
    }
    _mm_storeu_si128((__m128i *)state, _mm_shuffle_epi32(abcd, 0x1b));
    state[4] = (uint32_t)_mm_extract_epi32(e, 3);
}

#endif
