/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef REPEATED_CALLS_H
#define REPEATED_CALLS_H

/* Calls that are made again, with the inputs that they had: which ones, and what they gave. */

#include "timing.h"

/* What is asked for: `count` timings of a series, from number `first` on; and, if not NULL, the input for a call that
 * another process has made. */
struct repetition {
    enum repeating kind;
    unsigned first, count;
    const uint8_t *given;
    size_t given_bytes;
};
void repetition_begin(const struct repetition *asked);

/* What the calls have given since. */
struct repeated_calls {
    unsigned count;
    uint32_t *digests;                /* of the output of each */
    int64_t took[SAMPLE_MAX_TIMINGS]; /* counter units of the first ones */
    int64_t outputs_took;             /* counter units spent on the outputs of all */
};
extern struct repeated_calls repeated_calls;

#endif
