/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CHECK_H
#define CHECK_H

/* What the checks of operations have in common. */

#include <string.h>

#include "harness.h"

/* Puts a copy of `bytes` into a guarded buffer. */
static inline uint8_t *guarded_copy(struct guard *guard, const void *bytes, size_t length, unsigned alignment,
                                 enum guard_edge edge)
{
    uint8_t *copy = guard_place(guard, length, alignment, edge);
    if (length) memcpy(copy, bytes, length);
    return copy;
}

/* After a call: nothing is written around or into that copy. */
static inline void expect_unchanged(const struct guard *guard, const void *bytes, const char *name)
{
    guard_check(guard, name);
    if (guard->length && memcmp(guard->data, bytes, guard->length))
        harness_fail(INPUT_MODIFIED, "modifies its input: %s", name);
}

/* Every short length, then fewer and fewer. */
static inline size_t next_length(size_t length)
{
    return length + (length < 300 ? 1 : 1 + length / 6);
}

/* One bit of a byte, another one each time. */
static inline uint8_t random_bit(void)
{
    return (uint8_t)(1u << (prng_word() % 8));
}

/* GUARD_FRONT and GUARD_BACK in turn. */
static inline enum guard_edge alternate_edge(size_t turn)
{
    return turn % 2 ? GUARD_FRONT : GUARD_BACK;
}

#endif
