/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Takes the samples of a grid in random order, with a noise probe before and
 * after each, and retakes disturbed ones until the retake budget is spent. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "grid.h"
#include "noise.h"
#include "runtime.h"
#include "reference.h"
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

enum {
    BATCH = 64,          /* samples that are retaken in turn */
    AWAIT_NS = 2000000,  /* longest wait for a quiet moment before one retake */
    WARM_UP_NS = 100000, /* a shorter series is taken twice, see take_warmed_up */
    LONG_DITHER = 10,    /* turns; what a finer step leaves in the usual number of timings is less than a cycle */
    FEW_SAMPLES = 1000,  /* of more samples, neighbours share their errors; longer series would only fill the disk */
};

struct series_conditions {
    struct noise_probe before, after;
    long switches, retakes;
    int64_t tsc, nanoseconds;
    int absent; /* the implementation does not offer the measure */
};

/* A sample, and the least disturbed series taken of it so far. Series of long calls are recorded as they are taken. */
struct sample_in_progress {
    struct sample sample;
    struct series_conditions conditions;
    unsigned requested_timings;
    int recorded;
};

/* The state of the core before a series of long calls, and after each of them. */
static struct moment {
    struct noise_probe probe;
    long switches;
    int64_t tsc;
} moments[1 + SAMPLE_MAX_TIMINGS];

static unsigned long_calls; /* in the series under way */

void after_long_call(void)
{
    if (long_calls == SAMPLE_MAX_TIMINGS) return;
    struct moment *now = &moments[++long_calls];
    now->tsc = tsc_read();
    now->switches = context_switches();
    now->probe = noise_probe_now();
}

/* How disturbed a series was. A context switch or a change of the clock ranks behind any contention. */
static double disturbance(const struct series_conditions *conditions)
{
    const struct noise_probe *before = &conditions->before, *after = &conditions->after;
    const int slower = after->chain > before->chain;
    const double slow = (double)(slower ? after : before)->chain, fast = (double)(slower ? before : after)->chain;
    const double first = probe_contention(*before), second = probe_contention(*after);
    const double contention = first > second ? first : second;
    return conditions->switches || slow > fast * DISTURBED_ABOVE ? OTHER_DISTURBANCE + contention : contention;
}

static int undisturbed(const struct series_conditions *conditions)
{
    return disturbance(conditions) <= DISTURBED_ABOVE;
}

/* A long series is hardly ever undisturbed, so retaking it more than once is a waste. */
static int is_long(const struct series_conditions *conditions)
{
    return conditions->nanoseconds > SERIES_MS * INT64_C(1000000);
}

static __attribute__((noinline)) void empty(void)
{
    __asm__ volatile("");
}

static uint64_t input_seed;

void prng_seed_shared(uint64_t number)
{
    prng_seed(input_seed ^ UINT64_C(0x94d049bb133111eb) * (number + 1));
}

/* Lets the operation draw what all samples share, such as a key pair: it does so for the first measure, known or not. */
static void draw_shared(void)
{
    struct sample none = {.measure = "", .keys = 1};
    prng_seed(input_seed);
    random_seed(prng_word());
    (void)operation_measure(&none);
}

/* Seeds the inputs of a series: by what is measured, not by what was measured before, so that runs with the same input
 * seed and different implementations meet the same data, and other processes can repeat it. */
static void seed_inputs(const struct sample *s)
{
    const uint64_t values[] = {s->length, s->ad_length, s->keys, s->alignment, s->repetition, s->number};
    uint64_t seed = input_seed;
    for (const char *c = s->measure; *c; c++) prng_seed(seed + (unsigned char)*c), seed = prng_word();
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) prng_seed(seed + values[i]), seed = prng_word();
    series_begin(seed, s);
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
static struct series_conditions take_warmed_up(struct sample *sample, unsigned retakes)
{
    measure_begin(sample->measure);
    const struct series_conditions first = take_series(sample, 2 * retakes);
    return first.absent || first.nanoseconds > WARM_UP_NS ? first : take_series(sample, 2 * retakes + 1);
}

/* The digests of what the timings computed: after `own` if only the same executable can compute it again; none if
 * nobody can. */
static void record_digests(const struct sample *s)
{
    if (s->comparable != OUTPUTS_NONE) {
        (void)fputs(s->comparable == OUTPUTS_OWN ? "own" : "any", records);
        for (unsigned i = 0; i < s->timings; i++) (void)fprintf(records, ",%08" PRIx32, s->outputs[i]);
    }
    (void)fputc('\n', records);
}

static void record_sample(const struct sample *s, const struct series_conditions *c)
{
    (void)fprintf(records,
                  "sample\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%u\t%s\t%ld\t%ld\t%" PRId64 "\t%" PRId64
                  "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t",
                  s->measure, s->length, s->ad_length, s->keys, s->alignment, COUNTER_NAME, c->switches, c->retakes,
                  c->tsc, c->before.chain, c->after.chain, c->before.load, c->after.load);
    for (unsigned i = 0; i < s->timings; i++) (void)fprintf(records, i ? ",%" PRId64 : "%" PRId64, s->series[i]);
    (void)fprintf(records, "\t%u\t%u\t%u\t%u\t", s->repetition, s->number, s->first, s->inputs);
    record_digests(s);
}

/* The conditions of the timings between two moments of a series of long calls. */
static struct series_conditions conditions_between(unsigned first, unsigned last, long retakes)
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

static int undisturbed_timing(unsigned timing)
{
    const struct series_conditions conditions = conditions_between(timing, timing + 1, 0);
    return undisturbed(&conditions);
}

/* Records a series of long calls, whose disturbed and undisturbed timings become samples of their own. Returns how many
 * were undisturbed. */
static unsigned record_long_calls(const struct sample *s, long retakes)
{
    unsigned quiet = 0;
    for (unsigned first = 0, last; first < s->timings; first = last) {
        struct sample part = *s;
        const int is_quiet = undisturbed_timing(first);
        for (last = first + 1; last < s->timings && undisturbed_timing(last) == is_quiet;) last++;
        part.timings = last - first;
        part.first = first;
        memmove(part.series, s->series + first, part.timings * sizeof part.series[0]);
        memmove(part.outputs, s->outputs + first, part.timings * sizeof part.outputs[0]);
        const struct series_conditions conditions = conditions_between(first, last, retakes);
        record_sample(&part, &conditions);
        if (is_quiet) quiet += part.timings;
    }
    return quiet;
}

/* Whether the series just taken needs no retake: it is undisturbed, or long and undisturbed in a third of its timings.
 * One of long calls is recorded at once. */
static int settled(struct sample_in_progress *one, const struct sample *taken,
                   const struct series_conditions *conditions)
{
    if (long_calls < taken->timings) return undisturbed(conditions);
    one->recorded = 1;
    return 3 * record_long_calls(taken, conditions->retakes) >= taken->timings;
}

/* The time left for retakes, in the whole process. It grows by half the time that
 * first takes need, so a neighbour that never goes away costs a bounded share. */
static int64_t retake_budget_ns;

/* Takes one sample again and keeps the less disturbed series. Returns whether that one is final. */
static int retake(struct sample_in_progress *one)
{
    const int64_t start = nanoseconds_now();
    struct sample_in_progress again = *one;
    noise_await_quiet(retake_budget_ns < AWAIT_NS ? retake_budget_ns : AWAIT_NS);
    again.sample.timings = one->requested_timings;
    again.conditions = take_warmed_up(&again.sample, (unsigned)one->conditions.retakes + 1);
    again.conditions.retakes = ++one->conditions.retakes;
    const int final = settled(one, &again.sample, &again.conditions) || is_long(&again.conditions);
    again.recorded = one->recorded;
    if (disturbance(&again.conditions) < disturbance(&one->conditions)) *one = again;
    retake_budget_ns -= nanoseconds_now() - start;
    return final;
}

static void record_unless_recorded(const struct sample_in_progress *one)
{
    if (!one->recorded) record_sample(&one->sample, &one->conditions);
}

/* Takes every sample once. Records the undisturbed ones, moves the others to the front and returns their number. */
static size_t take_each(struct sample_in_progress *all, size_t count)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        struct sample_in_progress *one = &all[i];
        const int64_t start = nanoseconds_now();
        harness_case("measure %s length %" PRIu64 " keys %" PRIu64, one->sample.measure, one->sample.length,
                     one->sample.keys);
        one->requested_timings = one->sample.timings;
        one->conditions = take_warmed_up(&one->sample, 0);
        if (one->conditions.absent) continue;
        if (!is_long(&one->conditions)) retake_budget_ns += (nanoseconds_now() - start) / 2;
        one->recorded = 0;
        if (settled(one, &one->sample, &one->conditions))
            record_unless_recorded(one);
        else
            all[left++] = *one;
    }
    return left;
}

/* Takes a batch. Retakes go in turn, so that the attempts at each sample are spread over the available time; if none
 * of them is undisturbed, the least disturbed one is recorded. */
static void take_batch(struct sample_in_progress *all, size_t count)
{
    size_t left = take_each(all, count);
    while (left > 0 && retake_budget_ns > 0) {
        const size_t disturbed = left;
        left = 0;
        for (size_t i = 0; i < disturbed; i++) {
            struct sample_in_progress one = all[i];
            if (retake_budget_ns > 0 && retake(&one))
                record_unless_recorded(&one);
            else
                all[left++] = one;
        }
    }
    for (size_t i = 0; i < left; i++) record_unless_recorded(&all[i]);
}

static struct sample_in_progress batch[BATCH];
static size_t batched;

static void batch_flush(void)
{
    take_batch(batch, batched);
    batched = 0;
}

/* The most timings of a series under one key, see series_is_over. Under many keys, a longer series would meet keys that
 * it has brought into the caches itself. */
static unsigned most_timings;

static void batch_add(const struct sample *sample)
{
    batch[batched].sample = *sample;
    batch[batched++].sample.timings = sample->keys > 1 ? usual_timings : most_timings;
    if (batched == BATCH) batch_flush();
}

static void batch_add_empty(void)
{
    for (unsigned i = 0; i < 8; i++) {
        batch_add(&(struct sample){.measure = "empty", .length = SHORT_CHAIN_CYCLES});
        batch_add(&(struct sample){.measure = "empty", .keys = 1});
    }
}

static struct {
    uint64_t length, ad_length, keys;
} max;

uint64_t max_length(void)
{
    return max.length;
}

uint64_t max_ad_length(void)
{
    return max.ad_length;
}

uint64_t max_keys(void)
{
    return max.keys;
}

void samples_allow(const struct sample *s)
{
    if (s->length > max.length) max.length = s->length;
    if (s->ad_length > max.ad_length) max.ad_length = s->ad_length;
    if (s->keys > max.keys) max.keys = s->keys;
}

static uint64_t order_seed;

/* A pseudorandom number below `end`, for the order of the samples, which does not depend on the inputs. */
static size_t next_below(size_t end)
{
    prng_seed(order_seed);
    order_seed = prng_word();
    return (size_t)(prng_word() % end);
}

static void shuffle(struct sample *samples, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        const size_t j = next_below(i);
        const struct sample last = samples[i - 1];
        samples[i - 1] = samples[j];
        samples[j] = last;
    }
}

static size_t parsed; /* grid lines */
static struct grid *grids;

/* Parses the arguments of `measure` and `repeat` up to the grid and the grid itself; returns the number of samples, or
 * 0 if something is malformed. */
static size_t parse_arguments(int count, char **arguments, double *known_floor)
{
    size_t samples = 0;
    char *rest;
    if (count < 6) return 0;
    order_seed = strtoull(arguments[0], &rest, 10);
    if (*rest == ':') input_seed = strtoull(rest + 1, NULL, 10);
    usual_timings = (unsigned)strtoul(arguments[1], NULL, 10);
    retake_budget_ns = strtoll(arguments[2], NULL, 10) * 1000000; /* PATIENCE_MS */
    *known_floor = strtod(arguments[3], NULL);
    dither_span = (uint32_t)strtoul(arguments[4], NULL, 10);
    dither_state = order_seed;
    if (usual_timings == 0 || usual_timings > SAMPLE_MAX_TIMINGS) return 0;
    arguments += 5, count -= 5;
    if (!strncmp(arguments[0], "pair ", 5)) {
        keypair_set(arguments[0] + 5);
        arguments++, count--;
    }
    while (count > 1 && !strncmp(arguments[0], "mix ", 4)) {
        harness_case("grid mix");
        if (mix_parse(arguments[0])) harness_fail(HARNESS_ERROR, "malformed mix");
        mix_lengths(&max.length, &max.ad_length);
        arguments++, count--;
    }
    grids = calloc((size_t)count, sizeof *grids);
    if (!grids) harness_fail(HARNESS_ERROR, "out of memory");
    for (int i = 0; i < count; i++) {
        harness_case("grid %s", arguments[i]);
        if (grid_parse(&grids[i], arguments[i])) harness_fail(HARNESS_ERROR, "malformed grid line");
        for (size_t k = 0; k < grids[i].count; k++) samples_allow(&grids[i].samples[k]);
        samples += grids[i].count;
    }
    parsed = (size_t)count;
    return samples;
}

static void open_counter(void)
{
    const char *why = "";
    harness_case("opening the counter");
    if (counter_open(&why)) harness_fail(HARNESS_ERROR, "%s: %s", COUNTER_NAME, why);
}

int take_samples(int count, char **arguments)
{
    double known_floor = 0;
    open_counter();
    const size_t samples = parse_arguments(count, arguments, &known_floor);
    if (!samples) return -1;
    most_timings = dither_span >= LONG_DITHER && samples <= FEW_SAMPLES ? SAMPLE_MAX_TIMINGS : usual_timings;
    record_info("chain_cycles", REFERENCE_CHAIN_CYCLES);
    noise_open(known_floor);
    harness_case("setting up");
    draw_shared();
    batch_add_empty();
    for (size_t left = parsed; left > 0; left--) { /* random order of lines, and of samples within a line */
        const size_t i = next_below(left);
        struct grid grid = grids[i];
        grids[i] = grids[left - 1];
        shuffle(grid.samples, grid.count);
        for (size_t k = 0; k < grid.count; k++) batch_add(&grid.samples[k]);
    }
    batch_add_empty();
    batch_flush();
    return 0;
}

/* Repeats timings `first` to `first + timings - 1` of the series that the line describes; returns 0, or -1 if it is
 * malformed. */
static int repeat_line(char *line)
{
    struct sample s = {0};
    const char *verb = strsep(&line, " ");
    s.measure = line ? strsep(&line, " ") : NULL;
    if (!s.measure || !line) return -1;
    request_begin(line);
    s.length = request_number();
    s.ad_length = request_number();
    s.keys = request_number();
    s.alignment = s.output_alignment = (unsigned)request_number();
    s.repetition = (unsigned)request_number();
    s.number = (unsigned)request_number();
    s.inputs = (unsigned)request_number();
    if (!s.inputs) s.inputs = 1;
    first_timing = (unsigned)request_number();
    const unsigned timings = (unsigned)request_number();
    repeating = strcmp(verb, "inputs") ? REPEAT_CALLS : REPEAT_INPUTS;
    s.timings = first_timing + timings;
    harness_case("repeat %s length %" PRIu64 " keys %" PRIu64, s.measure, s.length, s.keys);
    seed_inputs(&s);
    if (operation_measure(&s)) return -1;
    s.timings = timings < SAMPLE_MAX_TIMINGS ? timings : SAMPLE_MAX_TIMINGS;
    (void)fputs("repeated\t", records);
    record_digests(&s);
    return 0;
}

int repeat_samples(int count, char **arguments)
{
    double known_floor = 0;
    char *line = NULL;
    size_t size = 0;
    open_counter();
    if (!parse_arguments(count, arguments, &known_floor)) return -1;
    draw_shared();
    while (getline(&line, &size, stdin) > 0)
        if (repeat_line(line)) harness_fail(HARNESS_ERROR, "unknown measure or malformed request");
    free(line);
    return 0;
}
