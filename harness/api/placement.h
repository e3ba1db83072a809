/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef PLACEMENT_H
#define PLACEMENT_H

/* What an operation's measure.c says about where its bytes are, and the hook
 * that makes the machine cold before a series. Both exist only in executables
 * that are built to measure placement (-DPLACEMENT, harness/placement/); in all
 * others they are empty and cost nothing. */

#include <stddef.h>

enum placed_buffer { PLACED_KEY, PLACED_INPUT, PLACED_OUTPUT, PLACED_BUFFERS };

#ifdef PLACEMENT

/* Says that the series that follows reads or writes these bytes. Without it,
 * the buffer cannot be evicted by itself. */
void placed(enum placed_buffer which, const void *first, size_t bytes);

/* Called by TIME_SERIES after `prepare` and before each timing, whose number in
 * the series is `timing`: evicts what the sample asks for before the first one,
 * and runs other code before every one. */
void before_timing(unsigned timing);

#else

static inline void placed(enum placed_buffer which, const void *first, size_t bytes)
{
    (void)which, (void)first, (void)bytes;
}
static inline void before_timing(unsigned timing)
{
    (void)timing;
}

#endif
#endif
