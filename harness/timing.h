/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef TIMING_H
#define TIMING_H

#include "counter.h"
#include "harness.h"

/* Fills sample->series with successive timings of `call`; `prepare` runs
 * before each, untimed.  A macro, so that the counter stands next to the call
 * with no function pointer between. */
#define TIME_SERIES(sample, prepare, call)                                       \
    do {                                                                         \
        for (unsigned timing_ = 0; timing_ < (sample)->timings; timing_++) {     \
            prepare;                                                             \
            int64_t start_ = counter_read();                                     \
            call;                                                                \
            int64_t stop_ = counter_read();                                      \
            (sample)->series[timing_] = stop_ - start_;                          \
        }                                                                        \
    } while (0)

#endif
