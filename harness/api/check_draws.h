/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CHECK_DRAWS_H
#define CHECK_DRAWS_H

/* Checks that what follows from an implementation's own random bytes does not repeat. With 16 bits of them, 500 draws
 * repeat one with a probability of 85 %. */

#include <stdlib.h>

#include "harness.h"

#define MOST_DRAWS 700
#define DRAWS_SECONDS 0.03 /* CPU time */

static uint64_t draws[MOST_DRAWS];
static size_t draws_count;

static inline void draws_begin(void)
{
    draws_count = 0;
    cpu_budget_start(DRAWS_SECONDS);
}

static inline int draws_left(void)
{
    harness_case("random bytes of its own, draw %zu", draws_count);
    return draws_count < MOST_DRAWS && cpu_budget_left();
}

/* Fails if the bytes are the same as those of an earlier draw. */
static inline void draws_add(const uint8_t *bytes, size_t length, const char *name)
{
    uint64_t sum = length;
    for (size_t i = 0; i < length; i++) sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
    for (size_t i = 0; i < draws_count; i++)
        if (draws[i] == sum) harness_fail(SAME_OUTPUT, "draws the same %s twice in %zu times", name, draws_count + 1);
    draws[draws_count++] = sum;
}

#endif
