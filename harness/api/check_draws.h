/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CHECK_DRAWS_H
#define CHECK_DRAWS_H

/* Checks that what follows from an implementation's own random bytes does not repeat. With 16 bits of them, 500 draws
 * repeat one with a probability of 85 %. */

#include <stdlib.h>

#include "check.h"

#define MOST_DRAWS 700
#define DRAWS_SECONDS 0.03 /* CPU time */

static uint64_t draws[MOST_DRAWS];
static size_t draws_count;

/* Calls `draw`, an expression, while time is left, and fails if the bytes that it leaves are those of an earlier one.
 * A macro, because what is drawn from has another type in each operation. */
#define EXPECT_DRAWS_TO_DIFFER(draw, bytes, length, name)                  \
    do {                                                                   \
        draws_begin();                                                     \
        while (draws_left()) (void)(draw), draws_add(bytes, length, name); \
    } while (0)

/* The same for what an implementation may always compute in the same way: then two draws show it. */
#define EXPECT_DRAWS_TO_DIFFER_IF_ANY_DO(draw, bytes, length, name)                                                   \
    do {                                                                                                              \
        uint64_t first_;                                                                                              \
        (void)(draw), first_ = sum_of_bytes(bytes, length);                                                           \
        if (((void)(draw), sum_of_bytes(bytes, length)) != first_) EXPECT_DRAWS_TO_DIFFER(draw, bytes, length, name); \
    } while (0)

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

static inline void draws_add(const uint8_t *bytes, size_t length, const char *name)
{
    const uint64_t sum = sum_of_bytes(bytes, length);
    for (size_t i = 0; i < draws_count; i++)
        if (draws[i] == sum) harness_fail(SAME_OUTPUT, "draws the same %s twice in %zu times", name, draws_count + 1);
    draws[draws_count++] = sum;
}

#endif
