/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef VARYING_H
#define VARYING_H

/* The points of a grid (a measure and its variables), and how far the samples of each vary: what varies gets more. */

#include <stddef.h>

#include "conditions.h"
#include "harness.h"

enum { MAX_VARYING = 128 }; /* points of a process; of more points neighbours share their errors */

/* Adds an undisturbed sample to those of its point. */
void varying_add(const struct sample *sample, const struct series_conditions *conditions);

/* Stores the next sample of each point that has fewer than `fewest`, or whose mean is known to no better than `error`
 * (relative, one standard deviation), if its samples take no longer than `nanoseconds`. Returns their number, at most
 * MAX_VARYING. */
size_t varying_points(struct sample *next, unsigned fewest, double error, int64_t nanoseconds);

#endif
