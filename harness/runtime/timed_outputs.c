/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The inputs and outputs of timed calls: every timing has inputs of its own, and what it computes is digested. */
#include "timed_outputs.h"

#include <string.h>

#include "repeat.h"
#include "runtime.h"
#include "timing.h"

int64_t timing_ready;
unsigned first_timing;
enum repeating repeating;
int timing_is_decoy;

enum { NOWHERE = -1, AUDIT_ONE_IN = 2, FEW_INPUTS = 4, REMEMBERED = 3, EVICTED = 3000 };

static struct {
    uint64_t seed;
    int64_t decoy_at, audit_at, timing;
    int64_t gaps[SAMPLE_MAX_TIMINGS]; /* from timing_ready to the start of the timing */
    int64_t began, longest;           /* preparing or calling evicts the more of the timed loop the longer it takes */
} series;

static uint64_t lanes[4];
static int own, any;

/* A random number below `end` that an implementation cannot foresee. */
static int64_t unforeseen(unsigned end)
{
    return (int64_t)(((uint64_t)counter_read() * UINT64_C(0x9e3779b97f4a7c15) >> 32) % end);
}

void series_begin(uint64_t seed, const struct sample *sample)
{
    series.seed = seed;
    series.longest = 0;
    series.decoy_at = NOWHERE;
    const unsigned usual = sample->timings < usual_timings ? sample->timings : usual_timings;
    series.audit_at = unforeseen(AUDIT_ONE_IN) || !usual ? NOWHERE : unforeseen(usual);
    timing_is_decoy = 0;
    prng_seed(seed);
    random_seed(prng_word());
}

void series_with_decoy(const struct sample *sample)
{
    if (!repeating) series.decoy_at = unforeseen(sample->timings < usual_timings ? sample->timings : usual_timings);
}

unsigned series_decoys(void)
{
    return series.decoy_at != NOWHERE;
}

int timing_is_audited(void)
{
    return !repeating && !timing_is_decoy && series.timing == series.audit_at;
}

void timing_begin(unsigned timing)
{
    static const uint64_t start[4] = {UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707344),
                                      UINT64_C(0xa4093822299f31d0), UINT64_C(0x082efa98ec4e6c89)};
    series.timing = timing;
    series.began = counter_read();
    timing_is_decoy = series.decoy_at == (int64_t)timing;
    if (timing_is_decoy) series.decoy_at = NOWHERE;
    prng_seed(series.seed ^ UINT64_C(0xd1342543de82ef95) * (timing + 1) ^ (timing_is_decoy ? 0xdec0 : 0));
    random_seed(prng_word());
    memcpy(lanes, start, sizeof lanes);
    own = any = 0;
}

static uint64_t word_at(const uint8_t *x)
{
    uint64_t word;
    memcpy(&word, x, sizeof word); /* only digests of the same machine are compared */
    return word;
}

static uint64_t mixed(uint64_t lane, uint64_t word)
{
    lane = (lane ^ word) * UINT64_C(0x9ddfea08eb382d69);
    return lane ^ lane >> 29;
}

/* Four lanes, so that the multiplications run beside each other: a long output costs a fraction of a cycle per byte. */
void timed_output(const void *bytes, size_t length)
{
    const uint8_t *x = bytes;
    uint8_t rest[32] = {0};
    size_t i = 0;
    any = 1;
    for (; i + 32 <= length; i += 32)
        for (unsigned j = 0; j < 4; j++) lanes[j] = mixed(lanes[j], word_at(x + i + 8 * j));
    if (i < length) memcpy(rest, x + i, length - i);
    for (unsigned j = 0; j < 4; j++) lanes[j] = mixed(lanes[j], word_at(rest + 8 * j) + length);
}

void timed_own_output(const void *bytes, size_t length)
{
    timed_output(bytes, length);
    own = 1;
}

void timed_nothing(void)
{
    any = 0;
}

void timed_verdict(int is_right, const char *what)
{
    if (!is_right) harness_fail(WRONG_WHEN_TIMED, "%s while being timed", what);
}

void freshen(uint8_t *message, uint64_t length)
{
    for (uint64_t i = 0; i < length; i += 64) {
        const uint64_t word = prng_word();
        if (length - i >= 8)
            memcpy(message + i, &word, 8);
        else
            memcpy(message + i, &word, (size_t)(length - i));
    }
}

int timing_end(struct sample *sample, unsigned timing, int64_t start)
{
    if (timing_is_decoy) {
        timing_is_decoy = 0;
        return 1;
    }
    uint64_t digest = 0;
    for (unsigned j = 0; j < 4; j++) digest = mixed(digest, lanes[j]);
    if (repeating) repeat_called((uint32_t)(digest >> 32), repeat_took);
    sample->comparable = !any ? OUTPUTS_NONE : own ? OUTPUTS_OWN : OUTPUTS_SHARED;
    if (timing >= SAMPLE_MAX_TIMINGS) return 0;
    sample->outputs[timing] = (uint32_t)(digest >> 32);
    series.gaps[timing] = start - timing_ready;
    if (timing_ready - series.began > series.longest) series.longest = timing_ready - series.began;
    if (sample->series[timing] > series.longest) series.longest = sample->series[timing];
    return 0;
}

static int series_is_over(int64_t spent, unsigned timings)
{
    if (timings >= usual_timings) return spent > short_series_limit;
    return spent > series_limit && (timings >= 3 || spent / timings > 10 * series_limit);
}

unsigned timing_taken(struct sample *sample, unsigned timing, int64_t first, int64_t start, int64_t stop)
{
    sample->series[timing] = stop - start;
    if (timing_end(sample, timing, start)) return timing - 1;
    if (stop - start > long_call) after_long_call();
    if (series_is_over(stop - first, timing + 1)) sample->timings = timing + 1;
    return timing;
}

/* The lower quartile: delays make gaps longer, never shorter. */
static int64_t usual_gap(unsigned timings)
{
    int64_t sorted[SAMPLE_MAX_TIMINGS];
    for (unsigned i = 0; i < timings; i++) {
        unsigned at = i;
        for (; at > 0 && sorted[at - 1] > series.gaps[i]; at--) sorted[at] = sorted[at - 1];
        sorted[at] = series.gaps[i];
    }
    return sorted[timings / 4];
}

/* What a timing may begin later because the timed loop has left the caches: it grows with what ran in between. */
static int64_t most_evicted(void)
{
    const int64_t some = series.longest / 8 < EVICTED ? series.longest / 8 : EVICTED;
    return some > series.longest / 64 ? some : series.longest / 64;
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
