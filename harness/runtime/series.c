/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Takes one series of timings, with a noise probe before and after. */
#define _GNU_SOURCE
#include "series.h"

#include <string.h>
#include <sys/resource.h>

#include "input_seed.h"
#include "reference.h"
#include "runtime.h"
#include "timed_outputs.h"
#include "timing.h"

static long context_switches(void)
{
    struct rusage usage;
#ifdef RUSAGE_THREAD
    (void)getrusage(RUSAGE_THREAD, &usage);
#else
    (void)getrusage(RUSAGE_SELF, &usage);
#endif
    return usage.ru_nivcsw + usage.ru_nvcsw;
}

enum { WARM_UP_NS = 100000 }; /* a shorter series is taken twice, see take_warmed_up */

/* The state of the core before a series of long calls, and after each of them. */
static struct moment {
    struct noise_probe probe;
    long switches;
    int64_t tsc;
} moments[1 + SAMPLE_MAX_TIMINGS];

unsigned long_calls;

void after_long_call(void)
{
    if (long_calls == SAMPLE_MAX_TIMINGS) return;
    struct moment *now = &moments[++long_calls];
    now->tsc = tsc_read();
    now->switches = context_switches();
    now->probe = noise_probe_now();
}

double disturbance(const struct series_conditions *conditions)
{
    const struct noise_probe *before = &conditions->before, *after = &conditions->after;
    const int slower = after->chain > before->chain;
    const double slow = (double)(slower ? after : before)->chain, fast = (double)(slower ? before : after)->chain;
    const double first = probe_contention(*before), second = probe_contention(*after);
    const double contention = first > second ? first : second;
    return conditions->switches || slow > fast * DISTURBED_ABOVE ? OTHER_DISTURBANCE + contention : contention;
}

int undisturbed(const struct series_conditions *conditions)
{
    return disturbance(conditions) <= DISTURBED_ABOVE;
}

int is_long(const struct series_conditions *conditions)
{
    return conditions->nanoseconds > SERIES_MS * INT64_C(1000000);
}

static __attribute__((noinline)) void empty(void)
{
    __asm__ volatile("");
}

/* Takes the series. The measure `empty` has no operation: with one key it times a
 * call of an empty function, with no key the short chain, whose known cycles are
 * its length: the rest is the overhead of every timing. */
static int measure(struct sample *sample)
{
    if (strcmp(sample->measure, "empty")) return operation_measure(sample);
    if (sample->keys)
        TIME_SERIES(sample, (void)0, empty());
    else
        TIME_SERIES(sample, (void)0, reference_short_chain());
    return 0;
}

static struct series_conditions take_series(struct sample *sample, unsigned series)
{
    struct series_conditions conditions = {.retakes = 0};
    sample->number = series;
    sample->inputs = 0;
    seed_inputs(sample);
    const int64_t start = nanoseconds_now();
    const long switches = context_switches();
    conditions.before = noise_probe_now();
    const int64_t tsc = tsc_read();
    moments[0] = (struct moment){.probe = conditions.before, .switches = switches, .tsc = tsc};
    long_calls = 0;
    conditions.absent = measure(sample);
    if (conditions.absent < 0) harness_fail(HARNESS_ERROR, "unknown measure");
    conditions.tsc = tsc_read() - tsc;
    conditions.after = noise_probe_now();
    conditions.switches = context_switches() - switches;
    conditions.nanoseconds = nanoseconds_now() - start;
    if (!conditions.absent) series_check(sample);
    return conditions;
}

/* Takes a short series twice and keeps the second, with other inputs each time. Wide vector units that were
 * powered down run at a third of their speed for some 15 microseconds; the noise
 * probes do not notice, and a short series might consist of nothing else. */
struct series_conditions take_warmed_up(struct sample *sample, unsigned retakes)
{
    measure_begin(sample->measure);
    const struct series_conditions first = take_series(sample, 2 * retakes);
    return first.absent || first.nanoseconds > WARM_UP_NS ? first : take_series(sample, 2 * retakes + 1);
}

/* The conditions of the timings between two moments of a series of long calls. */
struct series_conditions conditions_between(unsigned first, unsigned last, long retakes)
{
    const struct moment *start = &moments[first], *end = &moments[last];
    struct series_conditions conditions = {.before = start->probe, .after = end->probe, .retakes = retakes};
    for (unsigned i = first + 1; i < last; i++) /* the worst probe counts */
        if (probe_contention(moments[i].probe) > probe_contention(conditions.after))
            conditions.after = moments[i].probe;
    conditions.switches = end->switches - start->switches;
    conditions.tsc = end->tsc - start->tsc;
    return conditions;
}

int undisturbed_timing(unsigned timing)
{
    const struct series_conditions conditions = conditions_between(timing, timing + 1, 0);
    return undisturbed(&conditions);
}
