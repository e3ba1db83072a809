/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef REFERENCE_H
#define REFERENCE_H

/* The two reference kernels, which are timed before and after every series, and
 * the short chain, which shows what a timing takes beyond the timed code.
 *
 * The chain kernel is REFERENCE_CHAIN_CYCLES dependent one-cycle additions. Its
 * time depends only on the core's clock, so (counter units for the chain) /
 * REFERENCE_CHAIN_CYCLES converts ticks of a constant-rate counter into core
 * cycles at that moment.
 *
 * The load kernel keeps the integer ports and the L1 cache busy with independent
 * work. A neighbour on the same core (SMT, another virtual machine) slows it
 * more than the chain, so load/chain shows whether the core is disturbed.
 *
 * The SHORT_CHAINS short chains are SHORT_CHAIN_CYCLES of the same additions, one
 * more, two more and so on. Two counter reads with nothing between them take up to
 * 14 cycles less than the reads around any code do, because nothing waits for a
 * first instruction to be scheduled (Zen 5: 3 cycles for rdtsc, 14 for rdtscp
 * without a fence before it). So the overhead is the time of the short chains
 * without their own cycles. Lengths differ because processors pass on four
 * or more instructions at a time, and a fence that begins such a group ends a
 * cycle earlier or later (Cascade Lake: every fourth length takes one more).
 * With a counter of long steps, half of the short chains are longer, by LONGER
 * cycles: with clock_gettime, code of some 150 cycles and more comes out two
 * cycles too long if only shorter chains show the overhead (Zen 5).
 *
 * Their cycles are 0 on architectures for which no chain of
 * known latency is written here; the chain then only shows changes of the clock. */

#include "chain.h"

/* Long enough that a step of a coarse counter (26 ticks) is half a per cent of
 * the chain, and the cost of the calls around it a tenth of one. */
#define REFERENCE_TURNS 512

#ifdef CHAIN_ADD
#define REFERENCE_CHAIN_CYCLES (REFERENCE_TURNS * 16)
#define REFERENCE_ADD16 ".rept 16\n\t" CHAIN_ADD ".endr"
#define SHORT_CHAIN_CYCLES 16
#define SHORT_CHAINS 8
#else
#define REFERENCE_CHAIN_CYCLES 0
#define REFERENCE_ADD16 ""
#define SHORT_CHAIN_CYCLES 0
#define SHORT_CHAINS 1
#endif
#define LONGER 184

static inline void reference_chain(void)
{
    uintptr_t x = 1;
    for (unsigned turn = 0; turn < REFERENCE_TURNS; turn++) __asm__ volatile(REFERENCE_ADD16 : "+r"(x));
}

/* SHORT_CHAIN(more) is SHORT_CHAIN_CYCLES additions and so many more, for a constant. */
#define SHORT_CHAIN(more) CHAIN(SHORT_CHAIN_CYCLES + more)

static inline void reference_load(void)
{
    static const volatile uint32_t words[64];
    uint32_t a = 1, b = 2, c = 3, d = 4;
    for (unsigned turn = 0; turn < 4 * REFERENCE_TURNS; turn++) {
        a += words[turn % 64];
        b ^= words[(turn + 16) % 64];
        c += a >> 3;
        d ^= d << 5;
        __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
    }
}

#endif
