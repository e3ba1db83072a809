/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Core cycles by perf_event, read with a system call: the overhead is large but steady. */
#define COUNTER_NAME "perf_read"
#define COUNTER_UNIT "core cycles"
#if defined(__linux__)
#include "counters/perf_event.inc"

static int counter_open(const char **why)
{
    return perf_event_cycles(why);
}
static inline int64_t counter_read(void)
{
    int64_t cycles = -1;
    (void)counter_fence(0);
    if (read(perf_event_fd, &cycles, sizeof cycles) != (ssize_t)sizeof cycles) return -1;
    return counter_fence(cycles);
}
#else
#define COUNTER_ABSENT "only on Linux"
#endif
