/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* MICKEY-128 2.0, clock by clock, the registers in three 64-bit words each.
 *
 * All 160 bits of a register take the same three steps: shift, combine with
 * constants, add feedback and control, which are bits spread over a word.
 *
 * 160 bits in 3 words leave 32 spare bits.  They are spent on overlaps: the words
 * of a register are windows on it, and shift without looking at each other.
 * A clock spoils one bit at each end that lies inside the register, and after 8
 * clocks the overlaps are copied again.  The windows on R end in the three bits
 * that control and feed back (r_53, r_106, r_159), to be spread by one arithmetic
 * shift.  S needs its neighbours on both sides:
 *
 *     R   -10..53   43..106   96..159        S   0..63   48..111   96..159
 *
 * No branch or address depends on the key.  The nonce enters before the key, so
 * nothing is left to do in expandkey. */

#include "crypto_stream.h"

#include "../../_mickey/windows.h"
#include "bytes.h"

/* the most significant bit, 64 times */
static inline uint64_t spread(uint64_t x)
{
    return -(x >> 63);
}

static inline uint64_t clock_r(uint64_t r, uint64_t control, uint64_t feedback,
                               int first)
{
    return r << 1 ^ (r & control) ^ (feedback & window(MICKEY_R_MASK, first));
}

static inline uint64_t clock_s(uint64_t s, uint64_t feedback, uint64_t feedback_1,
                               int first)
{
    uint64_t product = (s ^ window(MICKEY_COMP0, first)) &
                       (s >> 1 ^ window(MICKEY_COMP1, first));
    uint64_t fb0 = window(MICKEY_FB0, first), fb1 = window(MICKEY_FB1, first);

    if (first == 0) product &= ~(uint64_t)1; /* new s_0 is only feedback */
    return s << 1 ^ product ^ (feedback & fb0) ^ (feedback_1 & (fb0 ^ fb1));
}

/* The input is the most significant bit of `input`. */
static inline void clock_kg(crypto_stream_state *k, int mixing, uint64_t input)
{
    uint64_t control_r = spread(k->s0 << 9 ^ k->r43);    /* s_54 ^ r_106 */
    uint64_t control_s = spread(k->s96 << 53 ^ k->r_54); /* s_106 ^ r_53 */
    uint64_t mixed = mixing ? input ^ k->s48 << 31 : input; /* s_80 */
    uint64_t feedback_r = spread(k->r96 ^ mixed);
    uint64_t feedback_s = spread(k->s96 ^ input);
    uint64_t feedback_1 = feedback_s & control_s;

    k->r_54 = clock_r(k->r_54, control_r, feedback_r, -10);
    k->r43 = clock_r(k->r43, control_r, feedback_r, 43);
    k->r96 = clock_r(k->r96, control_r, feedback_r, 96);
    k->s0 = clock_s(k->s0, feedback_s, feedback_1, 0);
    k->s48 = clock_s(k->s48, feedback_s, feedback_1, 48);
    k->s96 = clock_s(k->s96, feedback_s, feedback_1, 96);
}

/* After 8 clocks, 8 bits are spoilt at the ends of the windows. */
static inline void mend(crypto_stream_state *k)
{
    uint64_t s0 = k->s0, s48 = k->s48, s96 = k->s96;

    k->r43 = k->r43 >> 8 << 8 | k->r_54 >> 53;
    k->r96 = k->r96 >> 8 << 8 | k->r43 >> 53;
    k->s0 = s0 << 8 >> 8 | s48 >> 8 << 56;
    k->s48 = s48 >> 8 << 16 >> 8 | (s0 >> 48 & 255) | s96 >> 8 << 56;
    k->s96 = s96 >> 8 << 8 | (s48 >> 48 & 255);
}

static inline void mix(crypto_stream_state *k, uint64_t input, unsigned clocks)
{
    for (; clocks > 0; clocks -= 8) {
        for (unsigned i = 0; i < 8; i++, input <<= 1) clock_kg(k, 1, input);
        mend(k);
    }
}

static inline uint8_t next_byte(crypto_stream_state *k)
{
    uint64_t z = 0;

    for (unsigned i = 0; i < 8; i++) {
        z = z << 1 | ((k->r_54 >> 10 ^ k->s0) & 1);
        clock_kg(k, 0, 0);
    }
    mend(k);
    return (uint8_t)z;
}

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    memcpy(expanded->key, key, sizeof expanded->key);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    const uint64_t input[5] = {
        load_be64(nonce), load_be64(nonce + 8),
        load_be64(expanded->key), load_be64(expanded->key + 8), 0,
    };
    crypto_stream_state k = {0, 0, 0, 0, 0, 0};

    (void)soon;
    for (unsigned i = 0; i < 5; i++) mix(&k, input[i], i < 4 ? 64 : 160);
    for (unsigned i = 0; i < crypto_stream_FIRSTBYTES; i++) first[i] = next_byte(&k);
    *state = k;
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    crypto_stream_state k = *state;

    for (uint64_t i = 0; i < length; i++) out[i] = in[i] ^ next_byte(&k);
}
