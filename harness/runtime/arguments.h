/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include "grid.h"

/* The arguments of the verbs `measure` and `repeat`. */
struct arguments {
    uint64_t order_seed;
    int64_t patience_ns; /* for waiting for quiet moments */
    int64_t varying_ns;  /* for more samples of what varies */
    double noise_floor; /* 0: unknown */
    struct grid *grids;
    size_t lines, samples; /* of the grid */
};

/* Parses them, and sets usual_timings, the dither, the input seed, the key pair and what max_length and the like
 * return. Returns 0, or -1 if something is malformed. */
int arguments_parse(struct arguments *to, int count, char **arguments);

#endif
