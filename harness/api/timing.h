/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef TIMING_H
#define TIMING_H

#include "counter.h"
#include "dither.h"
#include "harness.h"
#include "placement.h"

/* A series ends early once it has taken SERIES_MS: after three timings, or after
 * one if that one took ten times as long. With a coarse counter it may have more
 * than usual_timings, but only within its first SHORT_SERIES_US: the error that
 * dithering leaves in a short call is many times its spread. series_limit and
 * short_series_limit are these times in counter units. */
#define SERIES_MS 30
#define SHORT_SERIES_US 40
extern int64_t series_limit, short_series_limit;
extern unsigned usual_timings;

static inline int series_is_over(int64_t spent, unsigned timings)
{
    if (timings >= usual_timings) return spent > short_series_limit;
    return spent > series_limit && (timings >= 3 || spent / timings > 10 * series_limit);
}

/* A call this long is followed by a noise probe of its own, for which
 * after_long_call is called, so that a disturbance in the middle of a series
 * spoils no more timings than it met. long_call is this time in counter units. */
#define LONG_CALL_US 200
extern int64_t long_call;
void after_long_call(void);

/* Fills sample->series with successive timings of `call` and runs `prepare`,
 * untimed, before each; the last thing before a timing is the dither. A macro,
 * so that no function pointer lies between the counter and the call. */
#define TIME_SERIES(sample, prepare, call)                                                    \
    do {                                                                                      \
        const int64_t first_ = counter_read();                                                \
        for (unsigned timing_ = 0; timing_ < (sample)->timings; timing_++) {                  \
            prepare;                                                                          \
            before_timing(timing_);                                                           \
            dither();                                                                         \
            int64_t start_ = counter_read();                                                  \
            call;                                                                             \
            int64_t stop_ = counter_read();                                                   \
            after_timing();                                                                   \
            (sample)->series[timing_] = stop_ - start_;                                       \
            if (stop_ - start_ > long_call) after_long_call();                                \
            if (series_is_over(stop_ - first_, timing_ + 1)) (sample)->timings = timing_ + 1; \
        }                                                                                     \
    } while (0)

#endif
