/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CONDITIONS_H
#define CONDITIONS_H

/* The conditions of a series: how disturbed the core was while it was taken, from a noise probe before, one after, and one
 * after each long call. */

#include "noise.h"

struct series_conditions {
    struct noise_probe before, after;
    long switches; /* 0 if others had the core for a negligible part of the time */
    long retakes;
    int64_t tsc, nanoseconds;
    int absent; /* the implementation does not offer the measure */
};

/* Around a series: look at the core, and return what has happened since. A warm-up series, which hardly ever counts,
 * begins with the last look if that is recent; if it took at most `brief` nanoseconds, nothing is looked at after it,
 * and only the time is returned. */
void conditions_begin(int is_warm_up);
struct series_conditions conditions_end(int64_t brief);

/* How disturbed a series was. A context switch or a change of the clock ranks behind any contention. */
double disturbance(const struct series_conditions *conditions);
int undisturbed(const struct series_conditions *conditions);

/* Whether the series took more than SERIES_MS: it is hardly ever undisturbed, so retaking it more than once is a
 * waste. */
int is_long(const struct series_conditions *conditions);

/* Looks at the core after a call of more than LONG_CALL_US, so that a disturbance in the middle of a series spoils no
 * more timings than it met. */
void conditions_after_long_call(void);

/* The long calls of the series, and the conditions of the timings from `first` to before `last`, or of one. Every timing
 * must be a long call. */
extern unsigned long_calls;
struct series_conditions conditions_between(unsigned first, unsigned last, long retakes);
int undisturbed_timing(unsigned timing);

#endif
