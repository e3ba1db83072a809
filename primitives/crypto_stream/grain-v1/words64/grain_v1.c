/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Grain v1, 32 or 64 clocks at a time in 64-bit words.
 *
 * A register is kept as overlapping windows that start at bits 0 and 32: every
 * tap of 32 successive clocks then is one right shift of one window.  What a
 * computation for n clocks leaves above bit n is dropped later.
 *
 * Nonlinear register, 32 clocks.  The deepest tap (b63) allows 16 clocks in
 * parallel.  So the new bits are computed in two passes.  The first one finds
 * zeros in place of what is not known yet, and its low 16 bits are right; with
 * these in the window the second one is right for 32.  Only what depends on the
 * deep taps b52, b60, b62, b63 is computed twice: the feedback is written as a
 * polynomial in these, with coefficients known 32 clocks ahead.  The speed of all
 * is the latency of this computation; its terms stand in the order in which
 * they become known.
 *
 * Linear register, 64 clocks.  The missing bits enter linearly, 18, 29, 42 and 57
 * clocks later: with x for one clock later, the right feedback is the one
 * without the missing bits, divided by 1 + e, e = x^18 + x^29 + x^42 + x^57; and
 * 1/(1 + e) = (1 + e)(1 + e^2) for 64 clocks.
 *
 * The keystream does not feed back and is computed for 64 clocks.  In the
 * initialisation it does: then both registers take two passes of 16 clocks.
 *
 * No branch or address depends on the key.  Nothing is left to do in expandkey. */

#include "crypto_stream.h"

#include "bytes.h"

static inline void first_16(struct windows *w, uint64_t new_bits)
{
    w->from32 |= new_bits << 48;
}

/* The same 16 and 16 more; forgets the oldest 32. */
static inline void all_32(struct windows *w, uint64_t new_bits)
{
    w->from0 = w->from32;
    w->from32 = w->from32 >> 32 | new_bits << 32 >> 16;
}

struct feedback {
    uint64_t f_0, not_b52, not_b60_b52, b63_b60, b63_b60_b52, b63;
};

static inline struct feedback feedback_begin(const struct windows *b, uint64_t s0)
{
    uint64_t b0 = b->from0, b9 = b0 >> 9, b14 = b0 >> 14, b15 = b0 >> 15;
    uint64_t b21 = b0 >> 21, b28 = b0 >> 28, b33 = b->from32 >> 1;
    uint64_t b37 = b->from32 >> 5, b45 = b->from32 >> 13;
    uint64_t b33_b28_b21 = b33 & b28 & b21;
    struct feedback f;

    f.f_0 = (s0 ^ b0 ^ b14 ^ b21 ^ b28 ^ b33 ^ (b9 & ~b15) ^
             (b33_b28_b21 & ~(b15 & b9))) ^ (b45 ^ (b37 & ~b33));
    f.b63_b60_b52 = b45 & b37;
    f.not_b52 = f.b63_b60_b52 & b33_b28_b21;
    f.not_b60_b52 = b45 ^ (b37 & b33);
    f.b63_b60 = ~(b21 & b15);
    f.b63 = b45 & (b28 & b9);
    return f;
}

static inline uint64_t feedback_end(const struct feedback *f,
                                    const struct windows *b)
{
    uint64_t b52 = b->from32 >> 20, b60 = b->from32 >> 28;
    uint64_t b62 = b->from32 >> 30, b63 = b->from32 >> 31;

    return ((f->f_0 ^ b62) ^ (b52 & ~f->not_b52)) ^
           ((b60 & ~(b52 & f->not_b60_b52)) ^ (b63 & f->b63)) ^
           ((b63 & b60) & (f->b63_b60 ^ (b52 & f->b63_b60_b52)));
}

/* The nonlinear register, 32 clocks on. */
static inline void feedback_32(struct windows *b, uint64_t s0)
{
    struct feedback f = feedback_begin(b, s0);

    first_16(b, feedback_end(&f, b));
    all_32(b, feedback_end(&f, b));
}

static inline uint64_t h(uint64_t x0, uint64_t x1, uint64_t x2, uint64_t x3,
                         uint64_t x4)
{
    return (x1 & ~(x0 & x2)) ^ (x3 & (x0 | x2)) ^ (x4 & ~(x2 & (x0 ^ x1))) ^
           ((x3 & x4) & ~x2);
}

/* Bits t .. t+63, 0 < t < 64, of those that begin low, high */
static inline uint64_t bits(uint64_t low, uint64_t high, unsigned t)
{
    return low >> t | high << (64 - t);
}

/* 64 clocks; the 64 keystream bits, the first one least significant */
static inline uint64_t next64(crypto_stream_state *state)
{
    struct windows *s = &state->s, *b = &state->b;
    uint64_t s_0 = s->from0, s_64 = s->from32 >> 32, b_0 = b->from0, b_64, l;

    feedback_32(b, s_0);
    feedback_32(b, s_0 >> 32);
    b_64 = b->from0;

    l = s_0 ^ bits(s_0, s_64, 13) ^ bits(s_0, s_64, 23) ^ s->from32 >> 6 ^
        s->from32 >> 19 ^ s->from32 >> 30;
    l ^= l << 36 ^ l << 58;
    l ^= l << 18 ^ l << 29 ^ l << 42 ^ l << 57;
    s_64 |= l << 16;
    s->from0 = s_64;
    s->from32 = l >> 16;

    return bits(b_0, b_64, 1) ^ bits(b_0, b_64, 2) ^ bits(b_0, b_64, 4) ^
           bits(b_0, b_64, 10) ^ bits(b_0, b_64, 31) ^ bits(b_0, b_64, 43) ^
           bits(b_0, b_64, 56) ^ h(bits(s_0, s_64, 3), bits(s_0, s_64, 25),
                                   bits(s_0, s_64, 46), s_64, bits(b_0, b_64, 63));
}

/* 32 clocks of the initialisation: the output goes into both registers. */
static inline void mix_32(crypto_stream_state *state)
{
    struct windows *s = &state->s, *b = &state->b;
    struct feedback f = feedback_begin(b, s->from0);
    uint64_t l = s->from0 ^ s->from0 >> 13 ^ s->from0 >> 23 ^ s->from32 >> 6 ^
                 s->from32 >> 19 ^ s->from32 >> 30;
    uint64_t z_0 = b->from0 >> 1 ^ b->from0 >> 2 ^ b->from0 >> 4 ^ b->from0 >> 10 ^
                   b->from0 >> 31 ^ b->from32 >> 11;
    uint64_t x0 = s->from0 >> 3, x1 = s->from0 >> 25, x2 = s->from32 >> 14, z;

    /* the taps that see new bits: b56, s64 and b63 */
    z = (z_0 ^ b->from32 >> 24) ^ h(x0, x1, x2, s->from32 >> 32, b->from32 >> 31);
    first_16(s, l ^ z);
    first_16(b, feedback_end(&f, b) ^ z);
    z = (z_0 ^ b->from32 >> 24) ^ h(x0, x1, x2, s->from32 >> 32, b->from32 >> 31);
    l ^= z;
    all_32(s, l ^ l << 18 ^ l << 29);
    all_32(b, feedback_end(&f, b) ^ z);
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
        .s = {load_le64(nonce), load_le64(nonce) >> 32 | (uint64_t)0xffff << 32},
        .b = {load_le64(expanded->key), load_le64(expanded->key + 2) >> 16},
    };

    (void)soon;
    for (unsigned i = 0; i < 160; i += 32) mix_32(&x);
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
