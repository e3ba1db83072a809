/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef GRID_H
#define GRID_H

#include "harness.h"

/* The samples of one grid line, such as
 *
 *   encrypt length=0,40,576-580,0-8192/64 keys=1,32 ad_length=0 alignment=0
 *
 * a measure and its variables, each a list of values and ranges (first-last or
 * first-last/step); every combination is one sample.  Defaults: length 0,
 * ad_length 0, keys 1, alignment 0. */
struct grid {
    struct sample *samples;
    size_t count;
};

/* 0; -1 when the line is no grid line (it is changed while it is read). */
int grid_parse(struct grid *grid, char *line, unsigned timings);

#endif
