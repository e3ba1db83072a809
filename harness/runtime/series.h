/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SERIES_H
#define SERIES_H

/* One series of timings, and how disturbed it was. */

#include "harness.h"
#include "noise.h"

struct series_conditions {
    struct noise_probe before, after;
    long switches, retakes;
    int64_t tsc, nanoseconds;
    int absent; /* the implementation does not offer the measure */
};

/* How disturbed a series was. A context switch or a change of the clock ranks behind any contention. */
double disturbance(const struct series_conditions *conditions);
int undisturbed(const struct series_conditions *conditions);

/* Whether the series took more than SERIES_MS: it is hardly ever undisturbed, so retaking it more than once is a
 * waste. */
int is_long(const struct series_conditions *conditions);

/* Takes a short series twice and keeps the second, with other inputs each time; `retakes` were taken before. */
struct series_conditions take_warmed_up(struct sample *sample, unsigned retakes);

/* The long calls in the series just taken, each of which had a noise probe, and the conditions of the timings from
 * `first` to before `last`, or of one. */
extern unsigned long_calls;
struct series_conditions conditions_between(unsigned first, unsigned last, long retakes);
int undisturbed_timing(unsigned timing);

#endif
