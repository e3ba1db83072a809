/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef COUNTER_H
#define COUNTER_H

/* The counter of this executable, chosen when it is built
 * (-DCOUNTER_HEADER='"counters/rdtscp.h"') so that it is inlined next to the
 * measured call.  A counter is one file in counters/ with
 *
 *   COUNTER_NAME    as it stands in every sample
 *   COUNTER_UNIT    "core cycles", "TSC ticks", "timer ticks" or "ns"
 *   counter_open    0, or -1 and *why = one line with the remedy
 *   counter_read    the count; waits for earlier work to finish, and later
 *                   work waits for it
 *
 * or COUNTER_ABSENT, why the machine cannot have it. */

#include <stdint.h>

/* Only the file that takes the samples opens it; the loops only read. */
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

/* The constant-rate counter that is recorded beside whatever COUNTER_HEADER
 * is; 0 where the machine has none. */
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
