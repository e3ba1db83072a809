/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef TIMED_CALLS_H
#define TIMED_CALLS_H

/* What happens before and after each call of a timed loop (timing.h): its inputs are drawn, its timing is noted, and the
 * series ends when it has taken long enough. */

#include "harness.h"

/* Seeds what a series draws before its first timing; timing_begin seeds each timing. A warm-up series is shorter. */
void series_begin(uint64_t seed, const struct sample *sample, int is_warm_up);

/* Of the series just taken, for series_check.c. */
struct timing_gaps {
    int64_t gap[SAMPLE_MAX_TIMINGS]; /* from timing_ready to the start of the timing */
    int64_t longest;                 /* preparing or calling evicts the more of the timed loop the longer it takes */
};
extern struct timing_gaps timing_gaps;

#endif
