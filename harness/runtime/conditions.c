/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE
#include "conditions.h"

#include <sys/resource.h>
#include <time.h>

#include "clocks.h"
#include "counter.h"
#include "timing.h"

enum { NEGLIGIBLE = 50 };

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

/* A time in the life of this thread, which may have been switched out before. */
struct progress {
    long switches;
    int64_t nanoseconds, cpu_nanoseconds;
};

static struct progress progress_now(void)
{
    struct timespec cpu;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
    return (struct progress){context_switches(), nanoseconds_now(), (int64_t)cpu.tv_sec * 1000000000 + cpu.tv_nsec};
}

/* The context switches since, or none if others had the core for less than one part in NEGLIGIBLE of the time. A kernel
 * thread that wakes up takes some 50 microseconds: too much of a call of one millisecond, nothing of one of a second,
 * which is never without. */
static long switches_since(const struct progress *start, const struct progress *now)
{
    const int64_t took = now->nanoseconds - start->nanoseconds;
    const int64_t lost = took - (now->cpu_nanoseconds - start->cpu_nanoseconds);
    return lost * NEGLIGIBLE > took ? now->switches - start->switches : 0;
}

/* The state of the core before a series, and after each of its long calls. */
static struct moment {
    struct noise_probe probe;
    struct progress progress;
    int64_t tsc;
} moments[1 + SAMPLE_MAX_TIMINGS];

unsigned long_calls;

/* Takes a probe. After a long call the first one finds nothing of itself in the caches, and takes 6 % longer as if
 * somebody had disturbed it, so it does not count. */
static struct noise_probe probe_after(int64_t nanoseconds)
{
    if (nanoseconds > LONG_CALL_US * INT64_C(1000)) (void)noise_probe_now();
    return noise_probe_now();
}

void conditions_begin(int is_warm_up)
{
    struct moment *now = &moments[0];
    long_calls = 0;
    now->progress = progress_now();
    now->probe = is_warm_up ? noise_probe_recent() : noise_probe_now();
    now->tsc = tsc_read();
}

struct series_conditions conditions_end(int64_t brief)
{
    const struct moment *start = &moments[0];
    struct series_conditions conditions = {.before = start->probe};
    conditions.tsc = tsc_read() - start->tsc;
    conditions.nanoseconds = nanoseconds_now() - start->progress.nanoseconds;
    if (conditions.nanoseconds <= brief) return conditions;
    conditions.after = probe_after(conditions.nanoseconds);
    const struct progress now = progress_now();
    conditions.switches = switches_since(&start->progress, &now);
    conditions.nanoseconds = now.nanoseconds - start->progress.nanoseconds;
    return conditions;
}

void conditions_after_long_call(void)
{
    if (long_calls == SAMPLE_MAX_TIMINGS) return;
    struct moment *now = &moments[++long_calls];
    now->tsc = tsc_read();
    now->progress = progress_now();
    now->probe = probe_after(now->progress.nanoseconds - now[-1].progress.nanoseconds);
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

struct series_conditions conditions_between(unsigned first, unsigned last, long retakes)
{
    const struct moment *start = &moments[first], *end = &moments[last];
    struct series_conditions conditions = {.before = start->probe, .after = end->probe, .retakes = retakes};
    for (unsigned i = first + 1; i < last; i++) /* the worst probe counts */
        if (probe_contention(moments[i].probe) > probe_contention(conditions.after))
            conditions.after = moments[i].probe;
    conditions.switches = switches_since(&start->progress, &end->progress);
    conditions.tsc = end->tsc - start->tsc;
    return conditions;
}

int undisturbed_timing(unsigned timing)
{
    const struct series_conditions conditions = conditions_between(timing, timing + 1, 0);
    return undisturbed(&conditions);
}
