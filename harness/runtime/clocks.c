/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "clocks.h"

#include <time.h>

#include "timing.h"

uint32_t dither_span;
uint64_t dither_state = 1;

int64_t series_limit = INT64_MAX / 10, short_series_limit, warm_up_limit, long_call = INT64_MAX;

void counter_start(void)
{
    const char *why = "";
    harness_case("opening the counter");
    if (counter_open(&why)) harness_fail(HARNESS_ERROR, "%s: %s", COUNTER_NAME, why);
}

void counter_calibrate(double counts_per_nanosecond)
{
    series_limit = (int64_t)(counts_per_nanosecond * SERIES_MS * 1e6);
    short_series_limit = (int64_t)(counts_per_nanosecond * SHORT_SERIES_US * 1e3);
    warm_up_limit = (int64_t)(counts_per_nanosecond * WARM_UP_US * 1e3);
    long_call = (int64_t)(counts_per_nanosecond * LONG_CALL_US * 1e3);
}

int64_t nanoseconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
