/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "noise.h"

#include <stdlib.h>

#include "clocks.h"
#include "counter.h"
#include "dither.h"
#include "reference.h"

enum { STEPS = 200 }; /* of a coarse counter that the kernels of a probe take at least: one is half a per cent */

static double noise_floor;

/* Never inlined and always aligned alike, so that its times are comparable between executables. */
__attribute__((noinline, aligned(64))) struct noise_probe noise_probe_now(void)
{
    struct noise_probe probe;
    const unsigned times = 1 + (REFERENCE_CHAIN_CYCLES ? STEPS * dither_span / REFERENCE_CHAIN_CYCLES : 0);
    int64_t start, stop;
    /* One counter read more than kernels, as for any timing: the analysis subtracts the same overhead from all. */
    dither();
    start = stop = counter_read();
    for (unsigned i = 0; i < times; i++) {
        reference_chain();
        stop = counter_read();
    }
    probe.chain = (stop - start) / times;
    dither();
    start = counter_read();
    for (unsigned i = 0; i < times; i++) {
        reference_load();
        stop = counter_read();
    }
    probe.load = (stop - start) / times;
    return probe;
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
    return load_ratio(probe) / noise_floor;
}

void noise_await_quiet(int64_t nanoseconds)
{
    const int64_t end = nanoseconds_now() + nanoseconds;
    for (int quiet_in_a_row = 0; quiet_in_a_row < 3 && nanoseconds_now() < end;)
        quiet_in_a_row = probe_contention(noise_probe_now()) <= DISTURBED_ABOVE ? quiet_in_a_row + 1 : 0;
}
