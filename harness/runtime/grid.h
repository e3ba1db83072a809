/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef GRID_H
#define GRID_H

#include "harness.h"

/* The samples of one grid line: a measure and its variables, such as
 *
 *   encrypt length=0,40,576-580,0-8192/64 keys=1,32 ad_length=0 alignment=0
 *
 * Each variable is a list of values and ranges (first-last or first-last/step),
 * and every combination is one sample. Defaults: length 0, ad_length 0, keys 1,
 * alignment 0. Where placement is measured, there are also output_alignment (as
 * alignment), key_alignment, cold, call_site and between (all 0). */
struct grid {
    struct sample *samples;
    size_t count;
};

/* Parses `line` and modifies it. Returns 0, or -1 if the line is malformed or
 * memory runs out. */
int grid_parse(struct grid *grid, char *line);

/* Makes room for a sample: raises what max_length and the like return (samples.c). */
void samples_allow(const struct sample *sample);

/* Parses the line of a mix (mix.h), in place. Returns 0, or -1 if it is malformed or memory runs out. */
int mix_parse(char *line);

/* Raises the two lengths to the longest of the mix parsed last. */
void mix_lengths(uint64_t *length, uint64_t *ad_length);

#endif
