/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "series.h"

#include <string.h>

#include "input_seed.h"
#include "reference.h"
#include "runtime.h"
#include "series_check.h"
#include "timed_calls.h"
#include "timing.h"

enum { WARM_UP_NS = 100000 }; /* a shorter series is taken twice, see take_warmed_up */

static __attribute__((noinline)) void empty(void)
{
    __asm__ volatile("");
}

/* Times the short chain whose cycles are the length of the sample. */
static void short_chain(struct sample *sample)
{
    switch (sample->length - SHORT_CHAIN_CYCLES) {
#define OF(more)                                         \
    case more:                                           \
        TIME_SERIES(sample, (void)0, SHORT_CHAIN(more)); \
        break;
        OF(0) OF(1) OF(2) OF(3) OF(4) OF(5) OF(6) OF(7) OF(LONGER) OF(LONGER + 1) OF(LONGER + 2) OF(LONGER + 3)
    }
}

/* Takes the series. The measure `empty` has no operation: with one key it times a
 * call of an empty function, with no key a short chain, whose known cycles are
 * its length: the rest is the overhead of every timing. */
static int measure(struct sample *sample)
{
    if (strcmp(sample->measure, "empty")) return operation_measure(sample);
    if (sample->keys)
        TIME_SERIES(sample, (void)0, empty());
    else
        short_chain(sample);
    return 0;
}

static struct series_conditions take_series(struct sample *sample, unsigned series, int is_warm_up)
{
    sample->number = series;
    sample->inputs = 0;
    series_begin(input_seed_of(sample), sample, is_warm_up);
    conditions_begin(is_warm_up);
    const int absent = measure(sample);
    if (absent < 0) harness_fail(HARNESS_ERROR, "unknown measure");
    struct series_conditions conditions = conditions_end(is_warm_up ? WARM_UP_NS : 0);
    conditions.absent = absent;
    if (!absent) series_check(sample);
    return conditions;
}

/* Takes a short series twice and keeps the second, with other inputs each time. Wide vector units that were
 * powered down run at a third of their speed for some 15 microseconds; the noise
 * probes do not notice, and a short series might consist of nothing else. */
struct series_conditions take_warmed_up(struct sample *sample, unsigned retakes, int same_inputs)
{
    measure_begin(sample->measure);
    const struct series_conditions first = take_series(sample, same_inputs ? 0 : 2 * retakes, 1);
    return first.absent || first.nanoseconds > WARM_UP_NS ? first : take_series(sample, 2 * retakes + 1, 0);
}
