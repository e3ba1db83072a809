/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The verb `measure`: takes the samples of a grid in random order, retakes disturbed ones until the retake budget is
 * spent, and takes more of what varies. */
#include <inttypes.h>

#include "arguments.h"
#include "clocks.h"
#include "input_seed.h"
#include "noise.h"
#include "reference.h"
#include "runtime.h"
#include "sample_record.h"
#include "series.h"
#include "timing.h"
#include "varying.h"

enum {
    BATCH = 64,         /* samples that are retaken in turn */
    AWAIT_NS = 2000000, /* longest wait for a quiet moment before one retake */
    LONG_DITHER = 10,   /* turns; what a finer step leaves in the usual number of timings is less than a cycle */
    FEW_SAMPLES = 1000, /* of more samples, neighbours share their errors; longer series would only fill the disk */
    ROUGH_SHARE = 2,    /* up to this part of the time for what varies is for what is not even known roughly */
    ROUGH_SAMPLES = 3,  /* fewer do not show how far the next one lies */
    FINE_SAMPLES = 6,   /* fewer may agree by chance */
};

/* Standard errors of a point's mean in one process, relative. A cost with several values, or with many keys in and out
 * of the caches, gets no further than the rough one. */
#define ROUGH_ERROR 0.01
#define FINE_ERROR 0.003

/* A sample, and the least disturbed series taken of it so far. Series of long calls are recorded as they are taken. */
struct sample_in_progress {
    struct sample sample;
    struct series_conditions conditions;
    unsigned requested_timings;
    int recorded;
};

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

static void begin_case(const struct sample *sample)
{
    harness_case("measure %s length %" PRIu64 " keys %" PRIu64, sample->measure, sample->length, sample->keys);
}

/* Whether the calls of a series took so long that no branch predictor learns its inputs. Then a retake has the same ones:
 * some signatures take three times as long as others, and all implementations are to make the same. */
static int is_slow(const struct sample *sample)
{
    int64_t all = 0;
    for (unsigned i = 0; i < sample->timings; i++) all += sample->series[i];
    return all > long_call;
}

/* Takes one sample again and keeps the less disturbed series. Returns whether that one is final. */
static int retake(struct sample_in_progress *one)
{
    const int64_t start = nanoseconds_now();
    struct sample_in_progress again = *one;
    begin_case(&one->sample);
    noise_await_quiet(retake_budget_ns < AWAIT_NS ? retake_budget_ns : AWAIT_NS);
    again.sample.timings = one->requested_timings;
    again.conditions = take_warmed_up(&again.sample, (unsigned)one->conditions.retakes + 1, is_slow(&one->sample));
    again.conditions.retakes = ++one->conditions.retakes;
    const int final = settled(one, &again.sample, &again.conditions) || is_long(&again.conditions);
    again.recorded = one->recorded;
    if (disturbance(&again.conditions) < disturbance(&one->conditions)) *one = again;
    retake_budget_ns -= nanoseconds_now() - start;
    return final;
}

static void record_unless_recorded(const struct sample_in_progress *one)
{
    if (one->recorded) return;
    record_sample(&one->sample, &one->conditions);
    varying_add(&one->sample, &one->conditions);
}

/* Takes every sample once. Records the undisturbed ones, moves the others to the front and returns their number. */
static size_t take_each(struct sample_in_progress *all, size_t count)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        struct sample_in_progress *one = &all[i];
        const int64_t start = nanoseconds_now();
        begin_case(&one->sample);
        one->requested_timings = one->sample.timings;
        one->conditions = take_warmed_up(&one->sample, 0, 0);
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

/* A series of seconds would use up the time of all others, and be disturbed again. */
static int fits_the_budget(const struct sample_in_progress *one)
{
    return retake_budget_ns > 0 && one->conditions.nanoseconds <= retake_budget_ns;
}

/* Takes a batch. Retakes go in turn, so that the attempts at each sample are spread over the available time; if none
 * of them is undisturbed, the least disturbed one is recorded. */
static void take_batch(struct sample_in_progress *all, size_t count)
{
    size_t left = take_each(all, count);
    for (int tried = 1; tried;) {
        const size_t disturbed = left;
        tried = 0;
        left = 0;
        for (size_t i = 0; i < disturbed; i++) {
            struct sample_in_progress one = all[i];
            const int again = fits_the_budget(&one);
            tried |= again;
            if (again && retake(&one))
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

/* The cycles of the i-th short chain. */
static uint64_t short_chain_cycles(unsigned i)
{
    enum { HALF = (SHORT_CHAINS + 1) / 2 };
    if (dither_span < LONG_DITHER) return SHORT_CHAIN_CYCLES + i % SHORT_CHAINS;
    return SHORT_CHAIN_CYCLES + i % HALF + i / HALF % 2 * LONGER;
}

static void batch_add_empty(void)
{
    for (unsigned i = 0; i < 8; i++) {
        batch_add(&(struct sample){.measure = "empty", .length = short_chain_cycles(i)});
        batch_add(&(struct sample){.measure = "empty", .keys = 1});
    }
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

/* Takes one sample more of each point that varies, and again, until all are known well or the time is over. */
static void take_more(int64_t nanoseconds)
{
    static struct sample next[MAX_VARYING];
    const int64_t begun = nanoseconds_now();
    for (int64_t spent = 0; spent < nanoseconds; spent = nanoseconds_now() - begun) {
        const int64_t left = nanoseconds - spent;
        size_t count = spent < nanoseconds / ROUGH_SHARE ? varying_points(next, ROUGH_SAMPLES, ROUGH_ERROR, left) : 0;
        if (!count) count = varying_points(next, FINE_SAMPLES, FINE_ERROR, left);
        if (!count) return;
        shuffle(next, count);
        for (size_t i = 0; i < count && nanoseconds_now() - begun < nanoseconds; i++) {
            batch_add(&next[i]);
            batch_flush();
        }
    }
}

int take_samples(int count, char **arguments)
{
    struct arguments asked;
    counter_start();
    if (arguments_parse(&asked, count, arguments)) return -1;
    order_seed = asked.order_seed;
    retake_budget_ns = asked.patience_ns;
    most_timings = dither_span >= LONG_DITHER && asked.samples <= FEW_SAMPLES ? SAMPLE_MAX_TIMINGS : usual_timings;
    record_info("chain_cycles", REFERENCE_CHAIN_CYCLES);
    noise_open(asked.noise_floor);
    harness_case("setting up");
    draw_shared();
    batch_add_empty();
    for (size_t left = asked.lines; left > 0; left--) { /* random order of lines, and of samples within a line */
        const size_t i = next_below(left);
        struct grid grid = asked.grids[i];
        asked.grids[i] = asked.grids[left - 1];
        shuffle(grid.samples, grid.count);
        for (size_t k = 0; k < grid.count; k++) batch_add(&grid.samples[k]);
    }
    batch_flush();
    take_more(asked.varying_ns);
    batch_add_empty();
    batch_flush();
    return 0;
}
