/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CHECK_H
#define CHECK_H

/* Helpers for property tests (the check.c of an operation). */

#include <string.h>

#include "harness.h"

/* Places a copy of `bytes` in a guarded buffer and returns its address. */
static inline uint8_t *guarded_copy(struct guard *guard, const void *bytes, size_t length, unsigned alignment,
                                    enum guard_edge edge)
{
    uint8_t *copy = guard_place(guard, length, alignment, edge);
    if (length) memcpy(copy, bytes, length);
    return copy;
}

/* Fails if the call under test wrote outside the guarded copy or changed it. */
static inline void expect_unchanged(const struct guard *guard, const void *bytes, const char *name)
{
    guard_check(guard, name);
    if (guard->length && memcmp(guard->data, bytes, guard->length))
        harness_fail(INPUT_MODIFIED, "modifies its input: %s", name);
}

/* The length to try after `length`: every length up to 300, then in growing steps. */
static inline size_t next_length(size_t length)
{
    return length + (length < 300 ? 1 : 1 + length / 6);
}

/* A byte in which one bit, chosen at random, is set. */
static inline uint8_t random_bit(void)
{
    return (uint8_t)(1u << (prng_word() % 8));
}

/* GUARD_BACK for even numbers, GUARD_FRONT for odd ones. */
static inline enum guard_edge alternate_edge(size_t number)
{
    return number % 2 ? GUARD_FRONT : GUARD_BACK;
}

#endif
