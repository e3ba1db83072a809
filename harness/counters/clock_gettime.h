/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Nanoseconds of the monotonic clock, if nothing better is available. */
#define COUNTER_NAME "clock_gettime"
#define COUNTER_UNIT "ns"
#include <time.h>
static int counter_open(const char **why)
{
    struct timespec now;
    *why = "clock_gettime(CLOCK_MONOTONIC) fails";
    return clock_gettime(CLOCK_MONOTONIC, &now);
}
/* Never inlined and always aligned alike, so that it costs the same everywhere. */
__attribute__((noinline, aligned(64), unused)) static int64_t clock_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
static inline int64_t counter_read(void)
{
    (void)counter_fence(0);
    return counter_fence(clock_now());
}
