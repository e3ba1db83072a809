/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Grain-128, 64 clocks at a time in 64-bit words.
 *
 * The deepest taps (b96, s96) allow 32 clocks in parallel.  Here the feedbacks
 * are first computed for 64 clocks with zeros in place of the bits not known
 * yet; 32 clocks of them are right.  What the new bits add to the other 32 is
 * little, and is added then: they enter 32, 37, 44, 60, 61 or 63 clocks later
 * (b96, b91, b84, b68, b67, b65), so no correction needs another correction.
 *
 * The keystream does not feed back and is computed for 64 clocks at the end.  In
 * the initialisation it does, and is corrected in the same way.
 *
 * No branch or address depends on the key.  Nothing is left to do in expandkey. */

#include "crypto_stream.h"

#include "bytes.h"

/* Bits t .. t+63 of x, bits 0..127 and next, bits 128..191 (or zeros) */
static inline uint64_t low(const uint64_t x[2], unsigned t) /* 0 < t < 64 */
{
    return x[0] >> t | x[1] << (64 - t);
}

static inline uint64_t high(const uint64_t x[2], uint64_t next, unsigned t)
{
    return x[1] >> (t - 64) | next << (128 - t); /* 64 < t < 128 */
}

/* The 64 new bits of b, except what they owe to each other */
static inline uint64_t nonlinear(const uint64_t s[2], const uint64_t b[2])
{
    return s[0] ^ b[0] ^ low(b, 26) ^ low(b, 56) ^ (low(b, 11) & low(b, 13)) ^
           (low(b, 17) & low(b, 18)) ^ (low(b, 27) & low(b, 59)) ^
           (low(b, 40) & low(b, 48)) ^ (low(b, 3) & b[1] >> 3) ^
           (low(b, 61) & b[1] >> 1) ^ (b[1] >> 4 & b[1] >> 20) ^ b[1] >> 27 ^
           b[1] >> 32;
}

/* ... and with it; of n the low 32 bits are right. */
static inline uint64_t nonlinear_rest(uint64_t n, const uint64_t b[2])
{
    return n << 32 ^ n << 37 ^ (n << 44 & (b[1] >> 4 | n << 60)) ^
           (n << 61 & low(b, 3)) ^ (n << 63 & low(b, 61));
}

static inline uint64_t linear(const uint64_t s[2])
{
    return s[0] ^ low(s, 7) ^ low(s, 38) ^ s[1] >> 6 ^ s[1] >> 17 ^ s[1] >> 32;
}

static inline uint64_t linear_rest(uint64_t n)
{
    return n << 32 ^ n << 47 ^ n << 58;
}

/* The 64 output bits; s_next and b_next follow the 128 bits of s and b. */
static inline uint64_t output(const uint64_t s[2], const uint64_t b[2],
                              uint64_t s_next, uint64_t b_next)
{
    return low(b, 2) ^ low(b, 15) ^ low(b, 36) ^ low(b, 45) ^ b[1] ^
           high(b, b_next, 73) ^ high(b, b_next, 89) ^ high(s, s_next, 93) ^
           (low(s, 13) & low(s, 20)) ^ (low(s, 60) & high(s, s_next, 79)) ^
           (low(b, 12) & low(s, 8)) ^
           (high(b, b_next, 95) & (low(s, 42) ^ (low(b, 12) & high(s, s_next, 95))));
}

static inline void slide(uint64_t x[2], uint64_t next)
{
    x[0] = x[1];
    x[1] = next;
}

/* 64 clocks; the 64 keystream bits, the first one least significant */
static inline uint64_t next64(crypto_stream_state *state)
{
    uint64_t *s = state->s, *b = state->b;
    uint64_t s_next = linear(s), b_next = nonlinear(s, b), z;

    s_next ^= linear_rest(s_next);
    b_next ^= nonlinear_rest(b_next, b);
    z = output(s, b, s_next, b_next);
    slide(s, s_next);
    slide(b, b_next);
    return z;
}

/* 64 clocks of the initialisation: the output goes into both registers.  The
 * first output serves the first 32 clocks, the second one all. */
static inline void mix64(crypto_stream_state *state)
{
    uint64_t *s = state->s, *b = state->b;
    uint64_t l = linear(s), n = nonlinear(s, b), z = output(s, b, 0, 0);
    uint64_t l_low = (l ^ z) & 0xffffffff, n_low = (n ^ z) & 0xffffffff;

    z = output(s, b, l_low, n_low);
    slide(s, l ^ z ^ linear_rest(l_low));
    n ^= z ^ nonlinear_rest(n_low, b);
    slide(b, n);
}

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    memcpy(expanded->key, key, sizeof expanded->key);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    crypto_stream_state x = {
        .s = {load_le64(nonce), load_le32(nonce + 8) | (uint64_t)0xffffffff << 32},
        .b = {load_le64(expanded->key), load_le64(expanded->key + 8)},
    };

    (void)soon;
    for (unsigned i = 0; i < 256; i += 64) mix64(&x);
    store_le64(first, next64(&x));
    store_le64(first + 8, next64(&x));
    *state = x;
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    crypto_stream_state x = *state;

    for (; length >= 8; length -= 8, out += 8, in += 8)
        store_le64(out, load_le64(in) ^ next64(&x));
    if (length > 0) {
        uint64_t z = next64(&x);
        for (; length > 0; length--, z >>= 8) *out++ = (uint8_t)(*in++ ^ z);
    }
}
