/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "noise.h"

#include <stdlib.h>

#include "clocks.h"
#include "counter.h"
#include "counter_mean.h"
#include "dither.h"
#include "reference.h"

enum {
    STEPS = 150, /* of a coarse counter that the kernels of a probe take at least: one is two thirds of a per cent */
    LEAST_LOAD_CYCLES = REFERENCE_CHAIN_CYCLES / 2, /* that the load kernel takes */
    RECENT_NS = 200000,
};

static double noise_floor;

static struct {
    struct noise_probe probe;
    int64_t taken; /* nanoseconds */
} last;

/* How often a kernel of so many cycles runs in a probe; once with a counter that advances in fine steps. */
static unsigned passes(unsigned cycles)
{
    return 1 + (cycles ? STEPS * dither_span / cycles : 0);
}

/* Never inlined and always aligned alike, so that its times are comparable between executables. */
__attribute__((noinline, aligned(64))) struct noise_probe noise_probe_now(void)
{
    struct noise_probe probe;
    const unsigned chains = passes(REFERENCE_CHAIN_CYCLES), loads = passes(LEAST_LOAD_CYCLES);
    int64_t start, stop;
    /* One count more than kernels, as for any timing: the analysis subtracts the same overhead from all. */
    dither();
    start = stop = counter_mean();
    for (unsigned i = 0; i < chains; i++) {
        reference_chain();
        stop = counter_mean();
    }
    probe.chain = (stop - start) / chains;
    dither();
    start = counter_mean();
    for (unsigned i = 0; i < loads; i++) {
        reference_load();
        stop = counter_mean();
    }
    probe.load = (stop - start) / loads;
    last.probe = probe;
    last.taken = nanoseconds_now();
    return probe;
}

struct noise_probe noise_probe_recent(void)
{
    return last.taken && nanoseconds_now() - last.taken < RECENT_NS ? last.probe : noise_probe_now();
}

static double load_ratio(struct noise_probe probe)
{
    return probe.chain > 0 ? (double)probe.load / (double)probe.chain : 1;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The floor is the lower decile of many probes, or the known one if that is
 * lower, and then fewer will do. Their duration calibrates the counter. */
void noise_open(double known_floor)
{
    enum { PROBES = 301, FEWER = 101 };
    static double ratios[PROBES];
    const int probes = known_floor > 0 ? FEWER : PROBES;
    const int64_t start = counter_read(), start_ns = nanoseconds_now();
    for (int i = 0; i < probes; i++) ratios[i] = load_ratio(noise_probe_now());
    const double elapsed_ns = (double)(nanoseconds_now() - start_ns);
    counter_calibrate((double)(counter_read() - start) / elapsed_ns);
    qsort(ratios, (size_t)probes, sizeof ratios[0], ascending);
    noise_floor = ratios[probes / 10];
    if (known_floor > 0 && known_floor < noise_floor) noise_floor = known_floor;
}

double probe_contention(struct noise_probe probe)
{
    const double contention = load_ratio(probe) / noise_floor;
    return contention * DISTURBED_ABOVE < 1 ? OTHER_DISTURBANCE + 1 / contention : contention;
}

void noise_await_quiet(int64_t nanoseconds)
{
    const int64_t end = nanoseconds_now() + nanoseconds;
    for (int quiet_in_a_row = 0; quiet_in_a_row < 3 && nanoseconds_now() < end;)
        quiet_in_a_row = probe_contention(noise_probe_now()) <= DISTURBED_ABOVE ? quiet_in_a_row + 1 : 0;
}
