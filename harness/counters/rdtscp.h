/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The x86 time-stamp counter by RDTSCP, which waits for earlier instructions
 * itself (Intel SDM vol. 2B). It needs a fence before it all the same: without
 * one, up to three cycles of its own work run beside the timed code, and code of
 * 0, 1 and 2 cycles takes as long as code of 3 (Cascade Lake). */
#define COUNTER_NAME "rdtscp"
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
    __asm__ volatile("lfence\n\trdtscp" : "=a"(low), "=d"(high)::"rcx", "memory");
    return counter_fence((int64_t)((uint64_t)high << 32 | low));
}
#else
#define COUNTER_ABSENT "only on x86"
#endif
