/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AES-CTR with four 32-bit tables (Daemen and Rijmen, "AES proposal:
 * Rijndael", section 5.2.1) and counter-mode caching (Bernstein and Schwabe,
 * "New AES software speed records", 2008, section 5).  Within 256 blocks only
 * byte 0 of the counter changes.  It is row 0 of column 0 and touches, after
 * round 1, column 0 alone; after round 2, each column by one byte.  So 15 of
 * 16 lookups of round 1 and 12 of round 2 are made once in 256 blocks. */

#include "crypto_stream.h"

#include "bytes.h"
#include "expandkey_words.h"
#include "ttable.h"

#define INLINE static inline __attribute__((always_inline))

#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

INLINE uint32_t t0(uint32_t x) { return aes_T[0][x >> 24]; }
INLINE uint32_t t1(uint32_t x) { return aes_T[1][(x >> 16) & 255]; }
INLINE uint32_t t2(uint32_t x) { return aes_T[2][(x >> 8) & 255]; }
INLINE uint32_t t3(uint32_t x) { return aes_T[3][x & 255]; }

/* Rounds 1 and 2 but for the lookups that depend on byte 0 of the counter. */
static void fill_cache(crypto_stream_state *state)
{
    const uint32_t *rk = state->expanded->roundkeys;
    uint32_t s0 = __builtin_bswap32(state->nonce[0]) ^ rk[0];
    uint32_t s1 = state->nonce[1] ^ rk[1], s2 = state->nonce[2] ^ rk[2];
    uint32_t s3 = state->nonce[3] ^ rk[3];
    uint32_t c1 = t0(s1) ^ t1(s2) ^ t2(s3) ^ t3(s0) ^ rk[5];
    uint32_t c2 = t0(s2) ^ t1(s3) ^ t2(s0) ^ t3(s1) ^ rk[6];
    uint32_t c3 = t0(s3) ^ t1(s0) ^ t2(s1) ^ t3(s2) ^ rk[7];
    state->round1 = t1(s1) ^ t2(s2) ^ t3(s3) ^ rk[4];
    state->round2[0] = t1(c1) ^ t2(c2) ^ t3(c3) ^ rk[8];
    state->round2[1] = t0(c1) ^ t1(c2) ^ t2(c3) ^ rk[9];
    state->round2[2] = t0(c2) ^ t1(c3) ^ t3(c1) ^ rk[10];
    state->round2[3] = t0(c3) ^ t2(c1) ^ t3(c2) ^ rk[11];
}

INLINE uint32_t last_column(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return (uint32_t)aes_sbox[a >> 24] << 24 |
           (uint32_t)aes_sbox[(b >> 16) & 255] << 16 |
           (uint32_t)aes_sbox[(c >> 8) & 255] << 8 | aes_sbox[d & 255];
}

/* The next block, as four words. */
INLINE void next_block(crypto_stream_state *state, uint32_t *keystream)
{
    const uint32_t *rk = state->expanded->roundkeys;
    uint32_t counter = state->nonce[0]++;
    uint32_t s0 = aes_T[0][(counter & 255) ^ (rk[0] >> 24)] ^ state->round1;
    uint32_t s1 = t3(s0) ^ state->round2[1];
    uint32_t s2 = t2(s0) ^ state->round2[2];
    uint32_t s3 = t1(s0) ^ state->round2[3];
    s0 = t0(s0) ^ state->round2[0];
    UNROLL for (int round = 3; round < AES_ROUNDS; round++) {
        const uint32_t *k = rk + 4 * round;
        uint32_t u0 = t0(s0) ^ t1(s1) ^ t2(s2) ^ t3(s3) ^ k[0];
        uint32_t u1 = t0(s1) ^ t1(s2) ^ t2(s3) ^ t3(s0) ^ k[1];
        uint32_t u2 = t0(s2) ^ t1(s3) ^ t2(s0) ^ t3(s1) ^ k[2];
        uint32_t u3 = t0(s3) ^ t1(s0) ^ t2(s1) ^ t3(s2) ^ k[3];
        s0 = u0;
        s1 = u1;
        s2 = u2;
        s3 = u3;
    }
    rk += 4 * AES_ROUNDS;
    keystream[0] = last_column(s0, s1, s2, s3) ^ rk[0];
    keystream[1] = last_column(s1, s2, s3, s0) ^ rk[1];
    keystream[2] = last_column(s2, s3, s0, s1) ^ rk[2];
    keystream[3] = last_column(s3, s0, s1, s2) ^ rk[3];
    if ((counter & 255) == 255) fill_cache(state);
}

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
#if AES_ROUNDS == 10
    aes128_expandkey_words(expanded->roundkeys, key);
#else
    aes256_expandkey_words(expanded->roundkeys, key);
#endif
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    uint32_t keystream[4];
    (void)soon;
    state->expanded = expanded;
    state->nonce[0] = load_le32(nonce);
    for (int i = 1; i < 4; i++) state->nonce[i] = load_be32(nonce + 4 * i);
    fill_cache(state);
    next_block(state, keystream);
    for (int i = 0; i < 4; i++) store_be32(first + 4 * i, keystream[i]);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    uint32_t keystream[4];
    crypto_stream_state local = *state;
    for (; length >= 16; length -= 16, out += 16, in += 16) {
        next_block(&local, keystream);
        UNROLL for (int i = 0; i < 4; i++)
            store_be32(out + 4 * i, load_be32(in + 4 * i) ^ keystream[i]);
    }
    if (length > 0) {
        uint8_t bytes[16];
        next_block(&local, keystream);
        for (int i = 0; i < 4; i++) store_be32(bytes + 4 * i, keystream[i]);
        xor_bytes(out, in, bytes, length);
    }
}
