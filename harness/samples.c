/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Takes the samples of a grid in random order, with the reference kernels
 * beside each, and takes a disturbed one again while patience lasts. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "grid.h"
#include "process.h"
#include "reference.h"
#include "timing.h"

/* Above this much over the quiet moment's load/chain the moment is disturbed;
 * the same allowance holds for a change of the clock within a series. */
#define DISTURBED 1.04

struct moment {
    int64_t chain, load;
};

static struct moment moment_now(void)
{
    struct moment moment;
    int64_t a, b, c, d;
    /* Two counter reads each, as for any timing, so that analysis subtracts the same overhead. */
    a = counter_read();
    reference_chain();
    b = counter_read();
    c = counter_read();
    reference_load();
    d = counter_read();
    moment.chain = b - a;
    moment.load = d - c;
    return moment;
}

static double ratio(struct moment moment)
{
    return moment.chain > 0 ? (double)moment.load / (double)moment.chain : 1;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* load/chain of a quiet moment: the lower decile of many. */
static double quiet_ratio(void)
{
    enum { MOMENTS = 301 };
    static double seen[MOMENTS];
    for (int i = 0; i < MOMENTS; i++) seen[i] = ratio(moment_now());
    qsort(seen, MOMENTS, sizeof seen[0], ascending);
    return seen[MOMENTS / 10];
}

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

static int64_t nanoseconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

struct taken {
    struct moment before, after;
    long switches, retakes;
    int64_t tsc;
};

static int calm(const struct taken *taken, double quiet)
{
    const double before = (double)taken->before.chain, after = (double)taken->after.chain;
    return taken->switches == 0 && ratio(taken->before) <= quiet * DISTURBED &&
           ratio(taken->after) <= quiet * DISTURBED && before <= after * DISTURBED &&
           after <= before * DISTURBED;
}

static void take_once(struct sample *sample, struct taken *taken)
{
    const long switches = context_switches();
    taken->before = moment_now();
    const int64_t tsc = tsc_read();
    if (operation_measure(sample)) harness_fail("no measure of that name");
    taken->tsc = tsc_read() - tsc;
    taken->after = moment_now();
    taken->switches = context_switches() - switches;
}

/* Patience is for the whole process, and grows by half the time that measuring
 * takes: a neighbour that never goes away costs so much and no more, and its
 * samples stay as they are, told by their reference kernels. */
static struct taken take(struct sample *sample, double quiet, int64_t *patience)
{
    struct taken taken = {.retakes = 0};
    for (;;) {
        const int64_t start = nanoseconds();
        take_once(sample, &taken);
        if (calm(&taken, quiet) || *patience <= 0) {
            *patience += (nanoseconds() - start) / 2;
            return taken;
        }
        const struct timespec pause = {.tv_nsec = 1000000L << (taken.retakes < 5 ? taken.retakes : 5)};
        (void)nanosleep(&pause, NULL);
        *patience -= nanoseconds() - start;
        taken.retakes++;
    }
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

static __attribute__((noinline)) void empty(void)
{
    __asm__ volatile("");
}

/* The overhead that every timing contains: two counter reads around the call
 * of an empty function. */
static void take_empty(unsigned timings, double quiet, int64_t *patience)
{
    struct sample sample = {.measure = "empty", .keys = 1, .timings = timings};
    struct taken taken = {.retakes = 0};
    for (int i = 0; i < 8; i++) {
        do {
            taken.before = moment_now();
            const int64_t tsc = tsc_read();
            const long switches = context_switches();
            TIME_SERIES(&sample, (void)0, empty());
            taken.tsc = tsc_read() - tsc;
            taken.after = moment_now();
            taken.switches = context_switches() - switches;
            taken.retakes++;
        } while (!calm(&taken, quiet) && taken.retakes < 50 && *patience > 0);
        taken.retakes--;
        record_sample(&sample, &taken);
    }
}

static uint64_t most[3];

uint64_t most_length(void)
{
    return most[0];
}

uint64_t most_ad_length(void)
{
    return most[1];
}

uint64_t most_keys(void)
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
        const size_t j = (size_t)(bytes_word() % i);
        const struct sample kept = samples[i - 1];
        samples[i - 1] = samples[j];
        samples[j] = kept;
    }
}

int samples_take(int count, char **arguments)
{
    const char *why = "";
    struct grid *grids;
    if (count < 4) return -1;
    bytes_seed(strtoull(arguments[0], NULL, 10));
    const unsigned timings = (unsigned)strtoul(arguments[1], NULL, 10);
    int64_t patience = strtoll(arguments[2], NULL, 10) * 1000000; /* given in milliseconds */
    if (timings == 0 || timings > SAMPLE_TIMINGS_MOST) return -1;
    arguments += 3, count -= 3;

    harness_case("opening the counter");
    if (counter_open(&why)) harness_fail("%s: %s", COUNTER_NAME, why);
    grids = calloc((size_t)count, sizeof *grids);
    if (!grids) harness_fail("no memory");
    for (int i = 0; i < count; i++) {
        harness_case("grid %s", arguments[i]);
        if (grid_parse(&grids[i], arguments[i], timings)) harness_fail("not a grid line");
        note_most(&grids[i]);
    }
    record_info("chain_cycles", REFERENCE_CHAIN_CYCLES);
    const double quiet = quiet_ratio();
    take_empty(timings, quiet, &patience);
    for (int left = count; left > 0; left--) { /* lines in random order, samples of a line too */
        const size_t i = (size_t)(bytes_word() % (uint64_t)left);
        struct grid grid = grids[i];
        grids[i] = grids[left - 1];
        shuffle(grid.samples, grid.count);
        for (size_t k = 0; k < grid.count; k++) {
            struct sample *sample = &grid.samples[k];
            harness_case("measure %s length %" PRIu64 " keys %" PRIu64, sample->measure, sample->length,
                         sample->keys);
            const struct taken taken = take(sample, quiet, &patience);
            record_sample(sample, &taken);
        }
    }
    take_empty(timings, quiet, &patience);
    return 0;
}
