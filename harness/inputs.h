/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Inputs that an operation makes at some cost, for a series of timings: signed
 * messages, ciphertexts, public keys.  Every timing has another one, since a branch
 * predictor learns a repeated input within a series: falcon512dyn (avx2) opens the
 * same message in 82,000, 73,000, 68,000 ... 64,000 ticks, others in 79,000 each.
 * They are made before the series and not between its timings, so that what
 * makes them is not in the caches instead of what is timed. */
#ifndef INPUTS_H
#define INPUTS_H

#include "timing.h"

#define INPUTS_MOST 16

/* Runs `make` for count = 0, 1, ... until there is an input for every timing or a tenth
 * of the time of a series is over, and leaves in `count` how many there are: at least one. */
#define MAKE_INPUTS(count, sample, make)                                                   \
    do {                                                                                   \
        const int64_t first_ = counter_read();                                             \
        (count) = 0;                                                                       \
        do {                                                                               \
            make;                                                                          \
            (count)++;                                                                     \
        } while ((count) < (sample)->timings && (count) < INPUTS_MOST &&                   \
                 counter_read() - first_ < series_limit / 10);                             \
    } while (0)

#endif
