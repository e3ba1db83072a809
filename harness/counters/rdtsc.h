/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The x86 time-stamp counter: a constant rate, not the core's clock.
 * The fences keep the timed code from being executed outside the two reads
 * (Intel SDM vol. 2B, RDTSC: LFENCE before and after). */
#define COUNTER_NAME "rdtsc"
#define COUNTER_UNIT "TSC ticks"
#if defined(__x86_64__) || defined(__i386__)
static int counter_open(const char **why)
{
    (void)why;
    return 0;
}
static inline int64_t counter_read(void)
{
    uint32_t low, high;
    __asm__ volatile("lfence\n\trdtsc" : "=a"(low), "=d"(high)::"memory");
    return counter_fence((int64_t)((uint64_t)high << 32 | low));
}
#else
#define COUNTER_ABSENT "only on x86"
#endif
