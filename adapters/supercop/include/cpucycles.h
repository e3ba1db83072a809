/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef cpucycles_h
#define cpucycles_h

/* Time for implementations that read it, under the names of libcpucycles; the harness does not use
 * it for its measurements. Static, because the only symbols that foreign code shares with ours are
 * those for random bytes. */
#include <time.h>

static __attribute__((unused)) long long cpucycles_clock(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static long long (*cpucycles)(void) __attribute__((unused)) = cpucycles_clock;

static __attribute__((unused)) const char *cpucycles_implementation(void)
{
    return "clock_gettime";
}

static __attribute__((unused)) const char *cpucycles_version(void)
{
    return "-";
}

static __attribute__((unused)) long long cpucycles_persecond(void)
{
    return 1000000000;
}

static __attribute__((unused)) void cpucycles_tracesetup(void)
{
}

#endif
