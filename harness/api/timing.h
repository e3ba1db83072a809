/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef TIMING_H
#define TIMING_H

#include "counter.h"
#include "harness.h"

/* A series that has taken this long, in counter units (SERIES_MS), ends: after
 * three timings, or after one when a single one takes ten times as long. */
#define SERIES_MS 30
extern int64_t series_limit;

static inline int series_is_over(int64_t spent, unsigned timings)
{
    return spent > series_limit && (timings >= 3 || spent / timings > 10 * series_limit);
}

/* Fills sample->series with successive timings of `call`; `prepare` runs
 * before each, untimed.  A macro, so that the counter stands next to the call
 * with no function pointer between. */
#define TIME_SERIES(sample, prepare, call)                                       \
    do {                                                                         \
        const int64_t first_ = counter_read();                                   \
        for (unsigned timing_ = 0; timing_ < (sample)->timings; timing_++) {     \
            prepare;                                                             \
            int64_t start_ = counter_read();                                     \
            call;                                                                \
            int64_t stop_ = counter_read();                                      \
            (sample)->series[timing_] = stop_ - start_;                          \
            if (series_is_over(stop_ - first_, timing_ + 1))                     \
                (sample)->timings = timing_ + 1;                                 \
        }                                                                        \
    } while (0)

#endif
