/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef DITHER_H
#define DITHER_H

/* A delay before each timing, for counters that advance in steps of many cycles
 * (26 ticks at a time on AMD Zen, 41.67 ns on some ARM machines).
 *
 * Without it, a timing begins at the same point of a step again and again, and
 * functions that differ by less than a step read alike. The delay is
 * pseudorandom and uniform over one step, so the two counts that a timing may
 * show occur in proportion to its true length: their mean is unbiased. */

#include <stdint.h>

/* The step in turns of the delay loop, about one core cycle each; 0: no delay. */
extern uint32_t dither_span;
extern uint64_t dither_state;

/* Turns a 64-bit linear congruential generator (Knuth, MMIX) once; the delay is
 * its high half scaled to [1, dither_span]. */
static inline void dither(void)
{
    if (!dither_span) return;
    dither_state = dither_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint32_t turns = 1 + (uint32_t)((dither_state >> 32) * dither_span >> 32);
#if defined(__x86_64__) || defined(__i386__)
    __asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(turns) : : "cc");
#else
    while (turns--) __asm__ volatile("" : : : "memory");
#endif
}

#endif
