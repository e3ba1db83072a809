/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef LMS_ADVANCE_SHANI_H
#define LMS_ADVANCE_SHANI_H

/* Chains of LMS on the SHA instructions, two at a time, since one waits for its
 * own rounds half of the time.  A step hashes one block of 55 bytes, I, q, the
 * chain's number, the place and the value before: its words are put together in
 * registers, and the first four rounds, of I alone, are done once. */

struct chains_context {
    __m128i id;             /* words 0 to 3 */
    __m128i abef, cdgh;     /* after four rounds */
    uint32_t q;
};

/* A chain on its way: the value as words 0 to 3 and 4 to 7. */
struct runner {
    __m128i low, high;
    unsigned number, place, end;
};

static inline __m128i round_keys(int i)
{
    return sha_ni_load(sha256_k + 4 * i);
}

static void context_of(struct chains_context *c, const uint8_t id[16], uint32_t q)
{
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
    __m128i kw;
    c->id = _mm_shuffle_epi8(sha_ni_load(id), swap);
    c->q = q;
    c->abef = _mm_set_epi32(0x6a09e667, (int)0xbb67ae85, 0x510e527f, (int)0x9b05688c);
    c->cdgh = _mm_set_epi32(0x3c6ef372, (int)0xa54ff53a, 0x1f83d9ab, 0x5be0cd19);
    kw = _mm_add_epi32(c->id, round_keys(0));
    c->cdgh = _mm_sha256rnds2_epu32(c->cdgh, c->abef, kw);
    c->abef = _mm_sha256rnds2_epu32(c->abef, c->cdgh, _mm_shuffle_epi32(kw, 0x0e));
}

/* The words of a step's block: all but the first four are a byte behind the
 * value's words. */
static inline void block_of(__m128i w[4], const struct chains_context *c, const struct runner *r)
{
    __m128i low = _mm_slli_epi32(r->low, 8), low_rest = _mm_srli_epi32(r->low, 24);
    __m128i high = _mm_slli_epi32(r->high, 8), high_rest = _mm_srli_epi32(r->high, 24);
    w[0] = c->id;
    w[1] = _mm_set_epi32(0, 0, (int)(r->number << 16 | r->place << 8), (int)c->q);
    w[1] = _mm_or_si128(w[1], _mm_or_si128(_mm_slli_si128(low, 8), _mm_slli_si128(low_rest, 4)));
    w[2] = _mm_or_si128(_mm_alignr_epi8(high, low, 8), _mm_alignr_epi8(high_rest, low_rest, 12));
    w[3] = _mm_or_si128(_mm_srli_si128(high, 8), _mm_srli_si128(high_rest, 12));
    w[3] = _mm_or_si128(w[3], _mm_set_epi32(55 * 8, 0, 0x80, 0));
}

/* One step of each runner. */
static inline __attribute__((always_inline)) void step(struct runner *r, const struct chains_context *c, int runners)
{
    const __m128i abef0 = _mm_set_epi32(0x6a09e667, (int)0xbb67ae85, 0x510e527f, (int)0x9b05688c);
    const __m128i cdgh0 = _mm_set_epi32(0x3c6ef372, (int)0xa54ff53a, 0x1f83d9ab, 0x5be0cd19);
    __m128i w[2][4], abef[2], cdgh[2];
    for (int n = 0; n < runners; n++) {
        block_of(w[n], c, r + n);
        abef[n] = c->abef;
        cdgh[n] = c->cdgh;
        w[n][0] = _mm_sha256msg1_epu32(w[n][0], w[n][1]);
        w[n][0] = _mm_add_epi32(w[n][0], _mm_alignr_epi8(w[n][3], w[n][2], 4));
        w[n][0] = _mm_sha256msg2_epu32(w[n][0], w[n][3]);
    }
#pragma GCC unroll 16
    for (int i = 1; i < 16; i++)
#pragma GCC unroll 2
        for (int n = 0; n < runners; n++) {
            __m128i kw = _mm_add_epi32(w[n][i % 4], round_keys(i));
            cdgh[n] = _mm_sha256rnds2_epu32(cdgh[n], abef[n], kw);
            abef[n] = _mm_sha256rnds2_epu32(abef[n], cdgh[n], _mm_shuffle_epi32(kw, 0x0e));
            if (i < 12) {
                __m128i t = _mm_sha256msg1_epu32(w[n][i % 4], w[n][(i + 1) % 4]);
                t = _mm_add_epi32(t, _mm_alignr_epi8(w[n][(i + 3) % 4], w[n][(i + 2) % 4], 4));
                w[n][i % 4] = _mm_sha256msg2_epu32(t, w[n][(i + 3) % 4]);
            }
        }
    for (int n = 0; n < runners; n++) {
        __m128i x = _mm_add_epi32(abef[n], abef0), y = _mm_add_epi32(cdgh[n], cdgh0);
        r[n].low = _mm_shuffle_epi32(_mm_unpackhi_epi64(y, x), 0x1b);  /* a b c d */
        r[n].high = _mm_shuffle_epi32(_mm_unpacklo_epi64(y, x), 0x1b); /* e f g h */
        r[n].place++;
    }
}

static inline void start(struct runner *r, hash chains[CHAINS], unsigned number, const uint8_t *from, const uint8_t *to)
{
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
    r->low = _mm_shuffle_epi8(sha_ni_load(chains[number]), swap);
    r->high = _mm_shuffle_epi8(sha_ni_load(chains[number] + 16), swap);
    r->number = number;
    r->place = from[number];
    r->end = to[number];
}

static inline void finish(const struct runner *r, hash chains[CHAINS])
{
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
    _mm_storeu_si128((__m128i *)chains[r->number], _mm_shuffle_epi8(r->low, swap));
    _mm_storeu_si128((__m128i *)(chains[r->number] + 16), _mm_shuffle_epi8(r->high, swap));
}

static void advance(hash chains[CHAINS], const uint8_t id[16], uint32_t q, const uint8_t from[CHAINS],
                    const uint8_t to[CHAINS])
{
    struct chains_context c;
    struct runner r[2];
    unsigned next = 2;
    context_of(&c, id, q);
    start(r, chains, 0, from, to);
    start(r + 1, chains, 1, from, to);
    for (;;) {
        unsigned first = r[0].end - r[0].place, second = r[1].end - r[1].place;
        unsigned both = first < second ? first : second, ended = first <= second ? 0 : 1;
        while (both-- > 0) step(r, &c, 2);
        finish(r + ended, chains);
        if (next == CHAINS) {
            struct runner *other = r + 1 - ended;
            while (other->place < other->end) step(other, &c, 1);
            finish(other, chains);
            return;
        }
        start(r + ended, chains, next++, from, to);
    }
}

#endif
