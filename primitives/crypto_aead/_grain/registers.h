/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef GRAIN_REGISTERS_H
#define GRAIN_REGISTERS_H

/* The registers of Grain-128a and Grain-128AEADv2, 64 clocks at a time in 64-bit
 * words: bit i of a register is bit i % 64 of word i / 64.
 *
 * The deepest taps (b96, s96) allow 32 clocks in parallel.  Here the feedbacks
 * are first computed for 64 clocks with zeros in place of the bits not known
 * yet; 32 clocks of them are right.  What the new bits add to the other 32 is
 * added then: they enter 32 (b96), 33 (b95), 37 (b91), 44 (b84), 46 (b82), 60
 * (b68), 61 (b67) or 63 (b65) clocks later, so no correction needs another one.
 * A product of several taps is corrected through the deepest of them, which is
 * zero at first exactly where it is not known.
 *
 * No branch or address depends on the key. */

#include <stdint.h>

#define GRAIN_INLINE static inline __attribute__((always_inline))

enum { GRAIN_MANY = 8 };

typedef struct {
    uint64_t s[2], b[2];
} grain_registers;

/* Bits t .. t+63 of a register, t not a multiple of 64 */
GRAIN_INLINE uint64_t grain_bits(const uint64_t *x, unsigned t)
{
    return x[t / 64] >> (t % 64) | x[t / 64 + 1] << (64 - t % 64);
}

/* The 64 new bits of b, except what they owe to each other */
GRAIN_INLINE uint64_t grain_nonlinear(const uint64_t *s, const uint64_t *b)
{
    const uint64_t c = b[1];
    return s[0] ^ b[0] ^ grain_bits(b, 26) ^ grain_bits(b, 56) ^ (grain_bits(b, 11) & grain_bits(b, 13)) ^
           (grain_bits(b, 17) & grain_bits(b, 18)) ^ (grain_bits(b, 27) & grain_bits(b, 59)) ^
           (grain_bits(b, 40) & grain_bits(b, 48)) ^ (grain_bits(b, 3) & c >> 3) ^
           (grain_bits(b, 61) & c >> 1) ^ (c >> 4 & c >> 20) ^ c >> 27 ^ c >> 32 ^
           (c >> 24 & c >> 28 & c >> 29 & c >> 31) ^
           (grain_bits(b, 22) & grain_bits(b, 24) & grain_bits(b, 25)) ^
           (c >> 6 & c >> 14 & c >> 18);
}

/* ... and with it; of n the low 32 bits are right. */
GRAIN_INLINE uint64_t grain_nonlinear_rest(uint64_t n, const uint64_t *b)
{
    const uint64_t c = b[1];
    return n << 32 ^ n << 37 ^ (n << 44 & (c >> 4 | n << 60)) ^ (n << 61 & grain_bits(b, 3)) ^
           (n << 63 & grain_bits(b, 61)) ^
           (n << 33 & (c >> 29 | n << 35) & (c >> 28 | n << 36) & (c >> 24 | n << 40)) ^
           (n << 46 & (c >> 14 | n << 50) & (c >> 6 | n << 58));
}

GRAIN_INLINE uint64_t grain_linear(const uint64_t *s)
{
    return s[0] ^ grain_bits(s, 7) ^ grain_bits(s, 38) ^ s[1] >> 6 ^ s[1] >> 17 ^ s[1] >> 32;
}

GRAIN_INLINE uint64_t grain_linear_rest(uint64_t n)
{
    return n << 32 ^ n << 47 ^ n << 58;
}

/* Word 2 of both registers, 64 clocks without output */
GRAIN_INLINE void grain_extend(uint64_t *s, uint64_t *b)
{
    const uint64_t l = grain_linear(s), n = grain_nonlinear(s, b);
    s[2] = l ^ grain_linear_rest(l);
    b[2] = n ^ grain_nonlinear_rest(n, b);
}

/* The 64 output bits, from words 0, 1 and 2 */
GRAIN_INLINE uint64_t grain_output(const uint64_t *s, const uint64_t *b)
{
    return grain_bits(b, 2) ^ grain_bits(b, 15) ^ grain_bits(b, 36) ^ grain_bits(b, 45) ^ b[1] ^
           grain_bits(b, 73) ^ grain_bits(b, 89) ^ grain_bits(s, 93) ^
           (grain_bits(s, 13) & grain_bits(s, 20)) ^ (grain_bits(s, 60) & grain_bits(s, 79)) ^
           (grain_bits(b, 12) & grain_bits(s, 8)) ^
           (grain_bits(b, 95) & (grain_bits(s, 42) ^ (grain_bits(b, 12) & grain_bits(s, 94))));
}

/* The outputs of 64 n clocks, n at most GRAIN_MANY */
GRAIN_INLINE void grain_next(uint64_t *y, unsigned n, grain_registers *g)
{
    uint64_t s[2 + GRAIN_MANY] = {g->s[0], g->s[1]}, b[2 + GRAIN_MANY] = {g->b[0], g->b[1]};
    for (unsigned i = 0; i < n; i++) grain_extend(s + i, b + i);
    for (unsigned i = 0; i < n; i++) y[i] = grain_output(s + i, b + i);
    *g = (grain_registers){{s[n], s[n + 1]}, {b[n], b[n + 1]}};
}

/* 64 clocks of the initialisation: the output goes into both registers, with
 * more_s and more_b.  The first output serves the first 32 clocks, the second
 * one all. */
static inline void grain_mix(grain_registers *g, uint64_t more_s, uint64_t more_b)
{
    uint64_t s[3] = {g->s[0], g->s[1], 0}, b[3] = {g->b[0], g->b[1], 0};
    const uint64_t l = grain_linear(s) ^ more_s, n = grain_nonlinear(s, b) ^ more_b;
    uint64_t y = grain_output(s, b);

    s[2] = (l ^ y) & 0xffffffff;
    b[2] = (n ^ y) & 0xffffffff;
    y = grain_output(s, b);
    s[2] = l ^ y ^ grain_linear_rest(s[2]);
    b[2] = n ^ y ^ grain_nonlinear_rest(b[2], b);
    *g = (grain_registers){{s[1], s[2]}, {b[1], b[2]}};
}

#endif
