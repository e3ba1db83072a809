/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Whether the timings of a series can be true: code under test could change the count at their start, or remember results. */
#include "series_check.h"

#include <string.h>

#include "dither.h"
#include "timed_calls.h"

enum { FEW_INPUTS = 4, REMEMBERED = 3, EVICTED = 3000 };

/* The lower quartile: delays make gaps longer, never shorter. */
static int64_t usual_gap(unsigned timings)
{
    int64_t sorted[SAMPLE_MAX_TIMINGS];
    for (unsigned i = 0; i < timings; i++) {
        unsigned at = i;
        for (; at > 0 && sorted[at - 1] > timing_gaps.gap[i]; at--) sorted[at] = sorted[at - 1];
        sorted[at] = timing_gaps.gap[i];
    }
    return sorted[timings / 4];
}

/* What a timing may begin later because the timed loop has left the caches: it grows with what ran in between. */
static int64_t most_evicted(void)
{
    const int64_t longest = timing_gaps.longest, some = longest / 8 < EVICTED ? longest / 8 : EVICTED;
    return some > longest / 64 ? some : longest / 64;
}

static int64_t longest_gap; /* of the series of an empty function, which nobody can have tampered with */

/* Fails if timings begin later than they should: the count at the start has been changed during the call, where it
 * waits in a register or on the stack. */
static void expect_starts_in_place(const struct sample *sample)
{
    const int64_t gap = usual_gap(sample->timings);
    const int64_t usual = 2 * longest_gap + 100 + 2 * (int64_t)dither_span; /* or a step more */
    if (!strcmp(sample->measure, "empty")) {
        if (gap > longest_gap) longest_gap = gap;
    } else if (gap < 0 || gap > usual + most_evicted()) {
        harness_fail(TIME_NOT_CONFIRMED,
                     "the start of a timing has moved: it lies %lld counts after the read before it, usually %lld",
                     (long long)gap, (long long)longest_gap);
    }
}

/* Fails if inputs that were made beforehand cost a fraction when they come again: their results are remembered. In a
 * single series all new inputs may have met a disturbance; what remembers does so in every series. */
static void expect_nothing_remembered(const struct sample *sample)
{
    if (sample->inputs < FEW_INPUTS || sample->timings <= sample->inputs) return; /* the first one may be slow */
    int64_t new = INT64_MAX, again = 0;
    for (unsigned i = 0; i < sample->timings; i++) {
        if (i < sample->inputs && sample->series[i] < new) new = sample->series[i];
        if (i >= sample->inputs && sample->series[i] > again) again = sample->series[i];
    }
    static unsigned in_a_row;
    in_a_row = new > 4 * again + 100 + 2 * (int64_t)dither_span ? in_a_row + 1 : 0; /* or a step more */
    if (in_a_row == REMEMBERED)
        harness_fail(WRONG_WHEN_TIMED, "remembers results: an input takes %lld counts, and %lld when it comes again",
                     (long long)new, (long long)again);
}

void series_check(const struct sample *sample)
{
    expect_starts_in_place(sample);
    expect_nothing_remembered(sample);
}
