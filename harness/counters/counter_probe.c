/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Tests one counter, independently of any operation:
 *
 *   score            its name, unit, overhead, resolution (the step by which its
 *                    readings advance) and rate, the times of the chain and
 *                    load kernels in its units, and dither_cycles: the delay
 *                    that makes timings unbiased, 0 if its step is fine;
 *                    and read_gap: the core cycles between two reads that put
 *                    them half a step apart, 0 if one read is enough
 *   noise SECONDS    quantiles of chain and load/chain over that time, how often
 *                    the chain was interrupted, per counter unit, and the share
 *                    of its time that this took
 *
 * Prints one "name<TAB>value" per line, or "absent<TAB>reason" if the counter is
 * not available. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "chain.h"
#include "counter.h"
#include "dither.h"
#include "reference.h"

#define LEAST_GAP 16 /* a chain of fewer cycles would run beside the reads */

static const double LIKE = 1.4; /* gaps of 3 and 4 units are those of steps of 3.3 */

enum {
    REPETITIONS = 2001,
    MAX_PROBES = 1 << 22,
    LEAST_HALVED = 10, /* core cycles: of finer steps, two reads halve what is next to nothing */
    MOST_HALVED = 200,
    COARSE_STEP = 2, /* core cycles; server Xeons count by twos, which are three to four, and a nanosecond is as long */
};

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double seconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void print(const char *name, double value)
{
    (void)printf("%s\t%.9g\n", name, value);
}

uint32_t dither_span;
uint64_t dither_state = 1;

#define TIMED(values, call)                                       \
    do {                                                          \
        for (int i_ = 0; i_ < REPETITIONS; i_++) {                \
            dither();                                             \
            const int64_t start_ = counter_read();                \
            call;                                                 \
            (values)[i_] = (double)(counter_read() - start_);     \
        }                                                         \
        qsort(values, REPETITIONS, sizeof(values)[0], ascending); \
    } while (0)

static double per_second(void)
{
    const double from = seconds_now();
    const int64_t start = counter_read();
    while (seconds_now() < from + 0.05) reference_chain();
    const int64_t stop = counter_read();
    return (double)(stop - start) / (seconds_now() - from);
}

struct gap {
    double width, weight;
};

static int narrower(const void *a, const void *b)
{
    return ascending(&((const struct gap *)a)->width, &((const struct gap *)b)->width);
}

/* The width that half of the weight is below, or rather the mean of those like it: steps need not be whole units. */
static double usual_width(struct gap *gaps, int count)
{
    double half = 0, sum = 0, weight = 0;
    int middle = 0;
    for (int i = 0; i < count; i++) half += gaps[i].weight / 2;
    qsort(gaps, (size_t)count, sizeof gaps[0], narrower);
    for (double below = gaps[0].weight; below < half; below += gaps[middle].weight) middle++;
    for (int i = 0; i < count; i++) {
        if (gaps[i].width < gaps[middle].width / LIKE || gaps[i].width > gaps[middle].width * LIKE) continue;
        sum += gaps[i].weight * gaps[i].width;
        weight += gaps[i].weight;
    }
    return sum / weight;
}

/* The step of the counter in its own units: by how much its readings differ at
 * least. Timings of random delays show it: those of a fine counter take every
 * value, those of a coarse one lie on a comb. Values next to each other count as
 * one tooth, because steps need not be whole units (24.5 ticks on Zen 3), and
 * rare ones (interrupts) do not count. When a neighbour comes or goes, there are
 * two combs, and a gap between them that is no step. */
static double step(void)
{
    enum { RARE = REPETITIONS / 200, WIDE = 4 };
    static double values[REPETITIONS];
    static struct gap gaps[REPETITIONS];
    double last = 0, last_count = 0;
    int count = 0;
    dither_span = 200;
    TIMED(values, dither());
    dither_span = 0;
    for (int from = 0, to; from < REPETITIONS; from = to) {
        double sum = values[from];
        for (to = from + 1; to < REPETITIONS && values[to] - values[to - 1] <= 1; to++) sum += values[to];
        if (to - from <= RARE) continue;
        if (values[to - 1] - values[from] >= WIDE && to - from > REPETITIONS / 4) return 1;
        const double tooth = sum / (to - from);
        if (last_count) gaps[count++] = (struct gap){tooth - last, last_count < to - from ? last_count : to - from};
        last = tooth;
        last_count = to - from;
    }
    return count ? usual_width(gaps, count) : 1;
}

/* The step in core cycles, from the median time of the chain; 0 if no chain of known latency exists. */
static uint32_t step_in_cycles(double counter_step)
{
    static double values[REPETITIONS];
    TIMED(values, reference_chain());
    return (uint32_t)(counter_step * REFERENCE_CHAIN_CYCLES / values[REPETITIONS / 2] + 0.5);
}

/* The mean of the timings within one step and one per cent of the median: what dithering makes unbiased. */
static double mean_timing(const double *sorted, double counter_step)
{
    const double median = sorted[REPETITIONS / 2], tolerance = 1.01 * counter_step + median / 100;
    double sum = 0;
    int count = 0;
    for (int i = 0; i < REPETITIONS; i++)
        if (sorted[i] >= median - tolerance && sorted[i] <= median + tolerance) sum += sorted[i], count++;
    return sum / count;
}

/* How many core cycles of a chain between two reads make them lie half a step apart; 0 if one read will do, or must:
 * clock_gettime is a function with branches, which takes three cycles less when it is called again (Zen 5), and a chain
 * of thousands of cycles would be too much code. Quarters of a step are fine enough, and make executables of different
 * caches the same: the chain is code, and where code lies may decide what it takes. */
static uint32_t read_gap(double counter_step, uint32_t step_cycles)
{
    static double values[REPETITIONS];
    if (step_cycles < LEAST_HALVED || step_cycles > MOST_HALVED || !strcmp(COUNTER_UNIT, "ns")) return 0;
    TIMED(values, CHAIN(LEAST_GAP));
    const double apart = mean_timing(values, counter_step) / counter_step,
                 missing = 0.5 - (apart - (double)(int64_t)apart);
    const uint32_t quarter = step_cycles / 4;
    return LEAST_GAP + quarter * (uint32_t)((missing < 0 ? missing + 1 : missing) * 4 + 0.5);
}

static void score(void)
{
    static double values[REPETITIONS];
    const double counter_step = step(), rate = per_second();
    const uint32_t cycles = step_in_cycles(counter_step);
    if (cycles >= COARSE_STEP) dither_span = cycles;
    TIMED(values, (void)0);
    const double overhead = mean_timing(values, counter_step);
    print("overhead", overhead);
    print("resolution", counter_step);
    print("dither_cycles", dither_span);
    print("read_gap", read_gap(counter_step, cycles));
    TIMED(values, reference_chain());
    print("chain", mean_timing(values, counter_step) - overhead);
    print("chain_cycles", REFERENCE_CHAIN_CYCLES);
    TIMED(values, reference_load());
    print("load", mean_timing(values, counter_step) - overhead);
    print("per_second", rate);
}

static void quantiles(const char *name, double *values, size_t count)
{
    static const int percent[] = {1, 10, 25, 50, 75, 90, 99};
    char label[64];
    qsort(values, count, sizeof values[0], ascending);
    for (size_t i = 0; i < sizeof percent / sizeof percent[0]; i++) {
        (void)snprintf(label, sizeof label, "%s_p%02d", name, percent[i]);
        print(label, values[count * (size_t)percent[i] / 100]);
    }
}

/* Of sorted timings of the chain: those that took a quarter longer than the fast ones were interrupted. One that took
 * many times as long met a neighbour's turn, and counts as one of twice the length. */
static void interruptions(const double *chains, size_t count)
{
    const double usual = chains[count / 10];
    double whole = 0, taken = 0;
    size_t times = 0;
    for (size_t i = 0; i < count; i++) {
        const double excess = chains[i] - usual;
        whole += chains[i];
        if (excess <= usual / 4) continue;
        times++;
        taken += excess < usual ? excess : usual;
    }
    (void)printf("interruptions\t%.9g\n", (double)times / whole);
    (void)printf("taken\t%.9g\n", taken / whole);
}

static void noise(double seconds)
{
    static double chains[MAX_PROBES], ratios[MAX_PROBES];
    const double end = seconds_now() + seconds;
    size_t count = 0;
    while (count < MAX_PROBES && (count == 0 || seconds_now() < end)) {
        const int64_t a = counter_read();
        reference_chain();
        const int64_t b = counter_read();
        reference_load();
        const int64_t c = counter_read();
        chains[count] = (double)(b - a);
        ratios[count] = (double)(c - b) / (double)(b - a > 0 ? b - a : 1);
        count++;
    }
    print("moments", (double)count);
    quantiles("chain", chains, count);
    interruptions(chains, count);
    quantiles("ratio", ratios, count);
}

int main(int count, char **arguments)
{
    const char *why = "";
    if (counter_open(&why)) {
        (void)printf("absent\t%s\n", why);
        return 0;
    }
    (void)printf("name\t%s\nunit\t%s\n", COUNTER_NAME, COUNTER_UNIT);
    if (count == 3 && !strcmp(arguments[1], "noise"))
        noise(strtod(arguments[2], NULL));
    else
        score();
    return 0;
}
