/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef COUNTER_MEAN_H
#define COUNTER_MEAN_H

/* The count at which a timing starts or stops. With a counter that advances in steps of ten core cycles and more it is
 * the mean of two reads that lie half a step apart: one of them is in the first half of a step whenever the other is in
 * the second, so the mean advances in half steps, and a timing errs by half as much.
 *
 * READ_GAP (-DREAD_GAP=28) is how many core cycles of a chain lie between them; the counter probe finds it.
 * Without it, one read is the count. The second read takes as long at the start as at the stop of every timing, so it
 * belongs to the overhead. */

#include "chain.h"
#include "counter.h"

#ifdef READ_GAP

/* No loop and no branch: what the timed call has left in the branch predictor must not matter. */
static inline int64_t counter_mean(void)
{
    const int64_t first = counter_read();
    CHAIN(READ_GAP);
    const int64_t second = counter_read();
    return counter_fence((int64_t)((uint64_t)(first + second) >> 1));
}

#else

static inline int64_t counter_mean(void)
{
    return counter_read();
}

#endif

#endif
