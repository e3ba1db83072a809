/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of the calibration:
 *
 *   chain  `length` core cycles of dependent additions between the counter reads
 *   call   the same inside a function, which shows what a call and return add
 *
 * A chain is not called, because the first cycles of a function run beside its
 * call and return: only inline its cost is known to the cycle. */
#include <string.h>

#include "calibration.h"
#include "timing.h"

#ifdef CHAIN_ADD

static int chain(struct sample *sample)
{
    switch (sample->length) {
#define SHORT(n)                                \
    case n:                                     \
        TIME_SERIES(sample, (void)0, CHAIN(n)); \
        return 0;
#define LONG(n)                                      \
    case n:                                          \
        TIME_SERIES(sample, (void)0, LONG_CHAIN(n)); \
        return 0;
#include "chains.def"
    default:
        return 1;
    }
}

static int call(struct sample *sample)
{
    switch (sample->length) {
    case 0:
        TIME_SERIES(sample, (void)0, calibration_call_0());
        return 0;
    case 20:
        TIME_SERIES(sample, (void)0, calibration_call_20());
        return 0;
    case 200:
        TIME_SERIES(sample, (void)0, calibration_call_200());
        return 0;
    default:
        return 1;
    }
}

int operation_measure(struct sample *sample)
{
    if (!strcmp(sample->measure, "chain")) return chain(sample);
    return strcmp(sample->measure, "call") ? -1 : call(sample);
}

#else

int operation_measure(struct sample *sample)
{
    (void)sample;
    return 1; /* no chain of known latency is written for this architecture */
}

#endif
