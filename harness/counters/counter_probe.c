/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Tests one counter, independently of any operation:
 *
 *   score            its name, unit, overhead, resolution and rate, and the
 *                    times of the chain and load kernels in its units
 *   noise SECONDS    quantiles of chain and load/chain over that time
 *
 * Prints one "name<TAB>value" per line, or "absent<TAB>reason" if the counter is
 * not available. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "counter.h"
#include "reference.h"

enum { REPETITIONS = 2001, MAX_PROBES = 1 << 22 };

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

#define TIMED(values, call)                                       \
    do {                                                          \
        for (int i_ = 0; i_ < REPETITIONS; i_++) {                \
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

/* The smallest step seen between two consecutive readings that differ. */
static double resolution(void)
{
    double least = 1e18;
    int64_t before = counter_read();
    for (int i = 0; i < REPETITIONS; i++) {
        const int64_t now = counter_read();
        if (now > before && (double)(now - before) < least) least = (double)(now - before);
        before = now;
    }
    /* If the counter is finer than its own overhead, its steps only show in the differences. */
    static double steps[REPETITIONS];
    TIMED(steps, (void)0);
    for (int i = 1; i < REPETITIONS; i++)
        if (steps[i] > steps[i - 1] && steps[i] - steps[i - 1] < least) least = steps[i] - steps[i - 1];
    return least;
}

static void score(void)
{
    static double values[REPETITIONS];
    TIMED(values, (void)0);
    const double overhead = values[REPETITIONS / 2];
    print("overhead", overhead);
    print("resolution", resolution());
    TIMED(values, reference_chain());
    print("chain", values[REPETITIONS / 2] - overhead);
    print("chain_cycles", REFERENCE_CHAIN_CYCLES);
    TIMED(values, reference_load());
    print("load", values[REPETITIONS / 2] - overhead);
    print("per_second", per_second());
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
