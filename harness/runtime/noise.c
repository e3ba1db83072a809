/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "noise.h"

#include <stdlib.h>
#include <time.h>

#include "counter.h"
#include "reference.h"
#include "timing.h"

static double quiet;

/* One copy at one alignment, so that its time means the same in every executable. */
__attribute__((noinline, aligned(64))) struct noise_probe noise_probe_now(void)
{
    struct noise_probe moment;
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

int64_t nanoseconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static double ratio(struct noise_probe moment)
{
    return moment.chain > 0 ? (double)moment.load / (double)moment.chain : 1;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int64_t series_limit = INT64_MAX / 10;

/* The level is the lower decile of many moments, or the one known if that is
 * lower.  The time they take tells how many counter units a series may take. */
void noise_open(double known)
{
    enum { MOMENTS = 301 };
    static double seen[MOMENTS];
    const int64_t start = counter_read(), from = nanoseconds_now();
    for (int i = 0; i < MOMENTS; i++) seen[i] = ratio(noise_probe_now());
    const double spent = (double)(nanoseconds_now() - from);
    series_limit = (int64_t)((double)(counter_read() - start) / spent * SERIES_MS * 1e6);
    qsort(seen, MOMENTS, sizeof seen[0], ascending);
    quiet = seen[MOMENTS / 10];
    if (known > 0 && known < quiet) quiet = known;
}

double probe_contention(struct noise_probe moment)
{
    return ratio(moment) / quiet;
}

void noise_await_quiet(int64_t nanoseconds)
{
    const int64_t end = nanoseconds_now() + nanoseconds;
    for (int in_a_row = 0; in_a_row < 3 && nanoseconds_now() < end;)
        in_a_row = probe_contention(noise_probe_now()) <= DISTURBED_ABOVE ? in_a_row + 1 : 0;
}
