/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Takes the samples of a grid in random order, with the reference kernels
 * beside each, and takes the disturbed ones again while patience lasts. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "grid.h"
#include "noise.h"
#include "runtime.h"
#include "reference.h"
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

/* Samples that take turns at being taken again, and how long each waits for a quiet moment. */
enum { BATCH = 64, AWAIT_NS = 2000000, WAKING_NS = 100000 };

struct taken {
    struct noise_probe before, after;
    long switches, retakes;
    int64_t tsc, nanoseconds;
    int absent; /* the implementation has no such measure */
};

/* One sample and the best that was taken of it so far. */
struct pending {
    struct sample sample;
    struct taken taken;
    unsigned wanted; /* timings */
};

/* How disturbed a series was; what is no load of a neighbour comes after all that is. */
static double contention(const struct taken *t)
{
    const double before = probe_contention(t->before), after = probe_contention(t->after);
    const double least = t->before.chain < t->after.chain ? (double)t->before.chain : (double)t->after.chain;
    const double most = t->before.chain < t->after.chain ? (double)t->after.chain : (double)t->before.chain;
    const double worse = before > after ? before : after;
    return t->switches || most > least * DISTURBED_ABOVE ? OTHER_DISTURBANCE + worse : worse;
}

static int undisturbed(const struct taken *taken)
{
    return contention(taken) <= DISTURBED_ABOVE;
}

/* Such a series is hardly ever left alone. */
static int is_long(const struct taken *taken)
{
    return taken->nanoseconds > SERIES_MS * INT64_C(1000000);
}

static __attribute__((noinline)) void empty(void)
{
    __asm__ volatile("");
}

/* The empty function tells the overhead that every timing contains: two
 * counter reads around its call. */
static int measure(struct sample *sample)
{
    if (strcmp(sample->measure, "empty")) return operation_measure(sample);
    TIME_SERIES(sample, (void)0, empty());
    return 0;
}

static struct taken take_series(struct sample *sample)
{
    struct taken taken = {.retakes = 0};
    const int64_t start = nanoseconds_now();
    const long switches = context_switches();
    taken.before = noise_probe_now();
    const int64_t tsc = tsc_read();
    taken.absent = measure(sample);
    if (taken.absent < 0) harness_fail(HARNESS_ERROR, "unknown measure");
    taken.tsc = tsc_read() - tsc;
    taken.after = noise_probe_now();
    taken.switches = context_switches() - switches;
    taken.nanoseconds = nanoseconds_now() - start;
    return taken;
}

/* Wide vector units that were asleep run at a third of their speed for some 15
 * microseconds, which no reference kernel hears and a short series may never
 * leave: it is taken twice, and the second counts. */
static struct taken take_once(struct sample *sample)
{
    measure_begin(sample->measure);
    const struct taken first = take_series(sample);
    return first.absent || first.nanoseconds > WAKING_NS ? first : take_series(sample);
}

static void record_sample(const struct sample *s, const struct taken *t)
{
    (void)fprintf(records,
                  "sample\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%u\t%s\t%ld\t%ld\t%" PRId64
                  "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t",
                  s->measure, s->length, s->ad_length, s->keys, s->alignment, COUNTER_NAME, t->switches,
                  t->retakes, t->tsc, t->before.chain, t->after.chain, t->before.load, t->after.load);
    for (unsigned i = 0; i < s->timings; i++)
        (void)fprintf(records, i ? ",%" PRId64 : "%" PRId64, s->series[i]);
    (void)fputc('\n', records);
}

/* As often as needed for a quiet moment, in turn, so that the tries of each
 * are spread over the time there is; of none, its least disturbed try counts.
 *
 * Patience is for the whole process, and grows by half the time that measuring
 * takes: a neighbour that never goes away costs so much and no more. */
static int64_t patience;

/* Takes one again; whether it is done with. */
static int retake(struct pending *one)
{
    const int64_t start = nanoseconds_now();
    struct pending again = *one;
    noise_await_quiet(patience < AWAIT_NS ? patience : AWAIT_NS);
    again.sample.timings = one->wanted;
    again.taken = take_once(&again.sample);
    again.taken.retakes = ++one->taken.retakes;
    if (contention(&again.taken) < contention(&one->taken)) *one = again;
    patience -= nanoseconds_now() - start;
    return undisturbed(&one->taken) || is_long(&one->taken);
}

static void take_all(struct pending *all, size_t count)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        struct pending *one = &all[i];
        const int64_t start = nanoseconds_now();
        harness_case("measure %s length %" PRIu64 " keys %" PRIu64, one->sample.measure, one->sample.length,
                     one->sample.keys);
        one->wanted = one->sample.timings;
        one->taken = take_once(&one->sample);
        if (one->taken.absent) continue;
        if (!is_long(&one->taken)) patience += (nanoseconds_now() - start) / 2;
        if (undisturbed(&one->taken))
            record_sample(&one->sample, &one->taken);
        else
            all[left++] = *one;
    }
    while (left > 0 && patience > 0) {
        const size_t disturbed = left;
        left = 0;
        for (size_t i = 0; i < disturbed; i++) {
            struct pending one = all[i];
            if (patience > 0 && retake(&one))
                record_sample(&one.sample, &one.taken);
            else
                all[left++] = one;
        }
    }
    for (size_t i = 0; i < left; i++) record_sample(&all[i].sample, &all[i].taken);
}

/* Samples wait until there are enough of them to be taken together. */
static struct pending batch[BATCH];
static size_t batched;

static void batch_take(void)
{
    take_all(batch, batched);
    batched = 0;
}

static void batch_add(const struct sample *sample)
{
    batch[batched++].sample = *sample;
    if (batched == BATCH) batch_take();
}

static void batch_empties(unsigned timings)
{
    const struct sample sample = {.measure = "empty", .keys = 1, .timings = timings};
    for (int i = 0; i < 8; i++) batch_add(&sample);
}

static uint64_t most[3];

uint64_t max_length(void)
{
    return most[0];
}

uint64_t max_ad_length(void)
{
    return most[1];
}

uint64_t max_keys(void)
{
    return most[2];
}

static void note_most(const struct grid *grid)
{
    for (size_t i = 0; i < grid->count; i++) {
        const struct sample *s = &grid->samples[i];
        if (s->length > most[0]) most[0] = s->length;
        if (s->ad_length > most[1]) most[1] = s->ad_length;
        if (s->keys > most[2]) most[2] = s->keys;
    }
}

static void shuffle(struct sample *samples, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        const size_t j = (size_t)(prng_word() % i);
        const struct sample kept = samples[i - 1];
        samples[i - 1] = samples[j];
        samples[j] = kept;
    }
}

int take_samples(int count, char **arguments)
{
    const char *why = "";
    struct grid *grids;
    if (count < 5) return -1;
    prng_seed(strtoull(arguments[0], NULL, 10));
    const unsigned timings = (unsigned)strtoul(arguments[1], NULL, 10);
    const double known = strtod(arguments[3], NULL);
    patience = strtoll(arguments[2], NULL, 10) * 1000000; /* given in milliseconds */
    if (timings == 0 || timings > SAMPLE_MAX_TIMINGS) return -1;
    arguments += 4, count -= 4;
    if (!strncmp(arguments[0], "pair ", 5)) {
        keypair_set(arguments[0] + 5);
        arguments++, count--;
    }

    harness_case("opening the counter");
    if (counter_open(&why)) harness_fail(HARNESS_ERROR, "%s: %s", COUNTER_NAME, why);
    grids = calloc((size_t)count, sizeof *grids);
    if (!grids) harness_fail(HARNESS_ERROR, "out of memory");
    for (int i = 0; i < count; i++) {
        harness_case("grid %s", arguments[i]);
        if (grid_parse(&grids[i], arguments[i], timings)) harness_fail(HARNESS_ERROR, "malformed grid line");
        note_most(&grids[i]);
    }
    record_info("chain_cycles", REFERENCE_CHAIN_CYCLES);
    noise_open(known);
    batch_empties(timings);
    for (int left = count; left > 0; left--) { /* lines in random order, samples of a line too */
        const size_t i = (size_t)(prng_word() % (uint64_t)left);
        struct grid grid = grids[i];
        grids[i] = grids[left - 1];
        shuffle(grid.samples, grid.count);
        for (size_t k = 0; k < grid.count; k++) batch_add(&grid.samples[k]);
    }
    batch_empties(timings);
    batch_take();
    return 0;
}
