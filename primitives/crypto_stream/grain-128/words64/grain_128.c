/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Grain-128, 64 clocks at a time in 64-bit words.
 *
 * The deepest taps (b96, s96) allow 32 clocks in parallel.  Here the feedbacks
 * are first computed for 64 clocks with zeros in place of the bits not known
 * yet; 32 clocks of them are right.  What the new bits add to the other 32 is
 * little, and is added then: they enter 32, 37, 44, 60, 61 or 63 clocks later
 * (b96, b91, b84, b68, b67, b65), so no correction needs another correction.
 *
 * The keystream does not feed back.  It is computed for 64 clocks at the end, in
 * long packets for 8 times 64: the compiler does several words at once then.
 * In the initialisation the output does feed back, and is corrected in the same
 * way as the feedbacks.
 *
 * No branch or address depends on the key.  Nothing is left to do in expandkey. */

#include "crypto_stream.h"

#include "bytes.h"

enum { MANY = 8 };

/* Bits t .. t+63 of a register, t not a multiple of 64 */
static inline uint64_t bits(const uint64_t *x, unsigned t)
{
    return x[t / 64] >> (t % 64) | x[t / 64 + 1] << (64 - t % 64);
}

/* The 64 new bits of b, except what they owe to each other */
static inline uint64_t nonlinear(const uint64_t s[2], const uint64_t b[2])
{
    return s[0] ^ b[0] ^ bits(b, 26) ^ bits(b, 56) ^ (bits(b, 11) & bits(b, 13)) ^
           (bits(b, 17) & bits(b, 18)) ^ (bits(b, 27) & bits(b, 59)) ^
           (bits(b, 40) & bits(b, 48)) ^ (bits(b, 3) & b[1] >> 3) ^
           (bits(b, 61) & b[1] >> 1) ^ (b[1] >> 4 & b[1] >> 20) ^ b[1] >> 27 ^
           b[1] >> 32;
}

/* ... and with it; of n the low 32 bits are right. */
static inline uint64_t nonlinear_rest(uint64_t n, const uint64_t b[2])
{
    return n << 32 ^ n << 37 ^ (n << 44 & (b[1] >> 4 | n << 60)) ^
           (n << 61 & bits(b, 3)) ^ (n << 63 & bits(b, 61));
}

static inline uint64_t linear(const uint64_t s[2])
{
    return s[0] ^ bits(s, 7) ^ bits(s, 38) ^ s[1] >> 6 ^ s[1] >> 17 ^ s[1] >> 32;
}

static inline uint64_t linear_rest(uint64_t n)
{
    return n << 32 ^ n << 47 ^ n << 58;
}

/* Word 2 of both registers, 64 clocks without output */
static inline void extend(uint64_t *s, uint64_t *b)
{
    uint64_t l = linear(s), n = nonlinear(s, b);

    s[2] = l ^ linear_rest(l);
    b[2] = n ^ nonlinear_rest(n, b);
}

/* The 64 output bits, from words 0, 1 and 2 */
static inline uint64_t output(const uint64_t *s, const uint64_t *b)
{
    return bits(b, 2) ^ bits(b, 15) ^ bits(b, 36) ^ bits(b, 45) ^ b[1] ^
           bits(b, 73) ^ bits(b, 89) ^ bits(s, 93) ^ (bits(s, 13) & bits(s, 20)) ^
           (bits(s, 60) & bits(s, 79)) ^ (bits(b, 12) & bits(s, 8)) ^
           (bits(b, 95) & (bits(s, 42) ^ (bits(b, 12) & bits(s, 95))));
}

static inline void copy2(uint64_t *to, const uint64_t *from)
{
    to[0] = from[0];
    to[1] = from[1];
}

/* 64 clocks; the 64 keystream bits, the first one least significant */
static inline uint64_t next64(crypto_stream_state *state)
{
    uint64_t s[3] = {state->s[0], state->s[1], 0};
    uint64_t b[3] = {state->b[0], state->b[1], 0};

    extend(s, b);
    copy2(state->s, s + 1);
    copy2(state->b, b + 1);
    return output(s, b);
}

static inline void next_many(uint64_t z[MANY], crypto_stream_state *state)
{
    uint64_t s[2 + MANY], b[2 + MANY];

    copy2(s, state->s);
    copy2(b, state->b);
    for (unsigned i = 0; i < MANY; i++) extend(s + i, b + i);
    for (unsigned i = 0; i < MANY; i++) z[i] = output(s + i, b + i);
    copy2(state->s, s + MANY);
    copy2(state->b, b + MANY);
}

/* 64 clocks of the initialisation: the output goes into both registers.  The
 * first output serves the first 32 clocks, the second one all. */
static inline void mix64(crypto_stream_state *state)
{
    uint64_t s[3] = {state->s[0], state->s[1], 0};
    uint64_t b[3] = {state->b[0], state->b[1], 0};
    uint64_t l = linear(s), n = nonlinear(s, b), z = output(s, b);

    s[2] = (l ^ z) & 0xffffffff;
    b[2] = (n ^ z) & 0xffffffff;
    z = output(s, b);
    s[2] = l ^ z ^ linear_rest(s[2]);
    b[2] = n ^ z ^ nonlinear_rest(b[2], b);
    copy2(state->s, s + 1);
    copy2(state->b, b + 1);
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

    for (; length >= 8 * MANY; length -= 8 * MANY) {
        uint64_t z[MANY];
        next_many(z, &x);
        for (unsigned i = 0; i < MANY; i++, out += 8, in += 8)
            store_le64(out, load_le64(in) ^ z[i]);
    }
    for (; length >= 8; length -= 8, out += 8, in += 8)
        store_le64(out, load_le64(in) ^ next64(&x));
    if (length > 0) {
        uint64_t z = next64(&x);
        for (; length > 0; length--, z >>= 8) *out++ = (uint8_t)(*in++ ^ z);
    }
}
