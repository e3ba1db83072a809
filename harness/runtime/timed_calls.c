/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "timed_calls.h"

#include <string.h>

#include "conditions.h"
#include "timed_outputs.h"
#include "timing.h"

int64_t timing_ready;
int timing_is_decoy;
unsigned warm_up_call;
unsigned usual_timings;
struct timing_gaps timing_gaps;

enum { NOWHERE = -1, AUDIT_ONE_IN = 2 };

static struct {
    uint64_t seed;
    int64_t short_limit; /* beyond usual_timings */
    int64_t warm_up, warms_up_from;
    int64_t decoy_at, audit_at, timing;
    int64_t began; /* the timing under way */
} series;

/* A random number below `end` that an implementation cannot foresee. */
static int64_t unforeseen(unsigned end)
{
    return (int64_t)(((uint64_t)counter_read() * UINT64_C(0x9e3779b97f4a7c15) >> 32) % end);
}

void series_begin(uint64_t seed, const struct sample *sample, int is_warm_up)
{
    series.seed = seed;
    series.warm_up = is_warm_up || repeating ? 0 : warm_up_limit;
    series.warms_up_from = 0;
    series.short_limit = is_warm_up ? short_series_limit / 2 : short_series_limit + series.warm_up;
    timing_gaps.longest = 0;
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
    return !repeating && !timing_is_decoy && !warm_up_call && series.timing == series.audit_at;
}

/* Whether a timing that begins now does not count yet. Wide vector units slow down whenever they begin to work (Xeon
 * 6-167-1: to a third of their speed, for two microseconds, two microseconds after they last did), so a series of short
 * calls might consist of little else; a warm-up series does not help, because a noise probe lies between. */
static int warms_up(unsigned timing)
{
    if (timing > 0 || !series.warm_up) return 0;
    if (!series.warms_up_from) series.warms_up_from = series.began;
    return series.began - series.warms_up_from < series.warm_up;
}

void timing_begin(unsigned timing)
{
    series.timing = timing;
    series.began = counter_read();
    warm_up_call = warms_up(timing) ? warm_up_call + 1 : 0;
    timing_is_decoy = !warm_up_call && series.decoy_at == (int64_t)timing;
    if (timing_is_decoy) series.decoy_at = NOWHERE;
    const uint64_t other = warm_up_call ? UINT64_C(0x10000) * warm_up_call : timing_is_decoy ? 0xdec0 : 0;
    prng_seed(series.seed ^ UINT64_C(0xd1342543de82ef95) * (timing + 1) ^ other);
    random_seed(prng_word());
    outputs_begin();
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

static int series_is_over(int64_t spent, unsigned timings)
{
    if (timings >= usual_timings) return spent > series.short_limit;
    return spent > series_limit && (timings >= 3 || spent / timings > 10 * series_limit);
}

unsigned timing_taken(struct sample *sample, unsigned timing, int64_t first, int64_t start, int64_t stop)
{
    const int64_t prepared = timing_ready - series.began, took = stop - start;
    if (timing_is_decoy || warm_up_call) {
        timing_is_decoy = 0;
        return timing - 1;
    }
    sample->series[timing] = took;
    sample->outputs[timing] = outputs_digest(sample);
    timing_gaps.gap[timing] = start - timing_ready;
    if (prepared > timing_gaps.longest) timing_gaps.longest = prepared;
    if (took > timing_gaps.longest) timing_gaps.longest = took;
    if (took > long_call) conditions_after_long_call();
    if (series_is_over(stop - first, timing + 1)) sample->timings = timing + 1;
    return timing;
}
