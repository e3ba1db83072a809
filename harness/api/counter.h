/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef COUNTER_H
#define COUNTER_H

/* The counter of this executable. It is chosen at compile time
 * (-DCOUNTER_HEADER='"counters/rdtscp.h"') so that it is inlined next to the
 * timed call. A counter is one file in counters/ that defines
 *
 *   COUNTER_NAME    its name in every sample
 *   COUNTER_UNIT    "core cycles", "TSC ticks", "timer ticks" or "ns"
 *   counter_open    returns 0, or -1 with *why = one line that names the remedy
 *   counter_read    returns the count, after all earlier instructions have
 *                   finished and before any later one begins
 *
 * or only COUNTER_ABSENT, the reason why this machine cannot have it. */

#include <stdint.h>

/* Returns the count that it is given. Earlier instructions, with those that
 * compute the count, finish before it returns, and later ones begin afterwards:
 * what still ran beside the timed code would be missing from its time. */
static inline int64_t counter_fence(int64_t count)
{
#if defined(__x86_64__) || defined(__i386__)
    __asm__ volatile("lfence" : "+r"(count)::"memory");
#elif defined(__aarch64__)
    __asm__ volatile("isb" : "+r"(count)::"memory");
#else
    __asm__ volatile("" : "+r"(count)::"memory");
    __sync_synchronize();
#endif
    return count;
}

/* Unused in most files: only clocks.c opens the counter. */
static int counter_open(const char **why) __attribute__((unused));

#include COUNTER_HEADER

#ifdef COUNTER_ABSENT
static int counter_open(const char **why)
{
    *why = COUNTER_ABSENT;
    return -1;
}
static inline int64_t counter_read(void)
{
    return 0;
}
#endif

/* The constant-rate counter that is recorded with every sample, whichever
 * counter is chosen; 0 if the machine has none. */
static inline int64_t tsc_read(void)
{
#if defined(__x86_64__) || defined(__i386__)
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (int64_t)((uint64_t)high << 32 | low);
#elif defined(__aarch64__)
    int64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return 0;
#endif
}

#endif
