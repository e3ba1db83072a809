/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Inputs that are expensive to make, for a series of timings: signed messages,
 * ciphertexts, public keys. Each timing gets a different one, because a branch
 * predictor learns a repeated input: falcon512dyn (avx2) opens the same message
 * in 82,000, 73,000, 68,000 ... 64,000 ticks, but different ones in 79,000 each.
 * They are made before the series, so that the code that makes them does not
 * evict the timed code from the caches between timings. */
#ifndef INPUTS_H
#define INPUTS_H

#include <string.h>

#include "timing.h"

#define MAX_INPUTS 16

struct inputs {
    unsigned count, next;
    struct {
        uint8_t *bytes;
        unsigned long long length;
    } of[MAX_INPUTS];
};

/* Allocates memory for inputs of up to `max_bytes` bytes each. */
static inline void inputs_open(struct inputs *inputs, size_t max_bytes)
{
    for (unsigned i = 0; i < MAX_INPUTS; i++) inputs->of[i].bytes = allocate(max_bytes, 0);
}

/* Stores a copy of one input. */
static inline void inputs_keep(struct inputs *inputs, const void *bytes, unsigned long long length)
{
    memcpy(inputs->of[inputs->count].bytes, bytes, (size_t)length);
    inputs->of[inputs->count++].length = length;
}

/* Returns the number of the next input. Warm-up calls have others in turn and use none up, so that another process knows
 * which one a timing had. */
static inline unsigned inputs_index(const struct inputs *inputs)
{
    return (inputs->next + warm_up_call) % inputs->count;
}

/* Copies the next input to `bytes` and returns its length. */
static inline unsigned long long inputs_next(struct inputs *inputs, void *bytes)
{
    const unsigned i = inputs_index(inputs);
    if (!warm_up_call) inputs->next++;
    memcpy(bytes, inputs->of[i].bytes, (size_t)inputs->of[i].length);
    return inputs->of[i].length;
}

#define INPUT_NUMBERS (1u << 20) /* so that no input is drawn like a timing (timing_begin) */

/* Runs `make`, which must call inputs_keep once, until there is an input for
 * every timing (and a decoy, so that no timing has its key or packet) or a
 * tenth of the series' time limit has passed; at least once.
 * When timings are repeated, makes only the input of the first one. */
#define MAKE_INPUTS(set, sample, make)                                                                            \
    do {                                                                                                          \
        const int64_t first_ = counter_read();                                                                    \
        (set)->count = (set)->next = 0;                                                                           \
        do {                                                                                                      \
            timing_begin(INPUT_NUMBERS + (set)->count + (repeating ? first_timing % (sample)->inputs : 0));       \
            make;                                                                                                 \
        } while (!repeating && (set)->count < (sample)->timings + series_decoys() && (set)->count < MAX_INPUTS && \
                 counter_read() - first_ < series_limit / 10);                                                    \
        if (!repeating) (sample)->inputs = (set)->count;                                                          \
    } while (0)

#endif
