/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef PLACE_H
#define PLACE_H

/* What the files of this folder share: the part of the harness that measures
 * placement, in executables of their own, so that the others stay as they are. */

#include "evict.h"
#include "harness.h"
#include "placement.h"

#define CALL_SITES 8
#define PLACED_TIMINGS 20 /* successive timings of a trial */

/* ---- ranges.c ---------------------------------------------------------------- */

/* The text and the constants of the executable and its libraries, without the
 * harness's own text, and without the C library's loader. */
#define MAX_RANGES 256
struct ranges {
    struct range of[MAX_RANGES];
    size_t count;
};
extern struct ranges text, tables;
void ranges_open(void);

/* The range of a buffer that the operation named for this series; 0 bytes if it named none. */
extern struct range placed_range[PLACED_BUFFERS];

/* The ranges of one bit of enum cold. */
size_t ranges_of(unsigned bit, const struct range **first);

/* Whether a buffer shares a pair of lines with one that is cold (in place, or a neighbour): CPUs fetch both lines of a
 * pair, so reading this one would warm that one. */
#define NEIGHBOURS 128
int is_beside_cold(enum placed_buffer which, unsigned cold);

/* A random line of these ranges; NULL if there is none. */
const uint8_t *random_line(const struct range *ranges, size_t count);

/* ---- ways.c ------------------------------------------------------------------- */

/* Tries all ways, chooses one for each bit, and prints a `way` or an `unable`
 * record for each. */
void ways_open(void);

/* The bits that can be evicted on this machine. */
unsigned can_evict(void);

extern const char *const cold_names[COLD_BITS];

/* Evicts all bits of the set from what is in use. */
void evict_all(unsigned cold);

/* ---- probes.c and proof.c --------------------------------------------------------- */

/* Runs what the probes will look at, so that it is warm before the eviction. */
void probes_warm(void);

/* Probes each bit: one that was evicted must look cold, any other warm. Counts in `proofs`. */
struct proof {
    unsigned probes, passed;
};
extern struct proof proofs[COLD_BITS];
void probe_all(unsigned cold);

/* ---- trials.c ----------------------------------------------------------------- */

/* Takes the trials of a cell until there are `trials`, or `budget` nanoseconds have passed and there are a few; fewer
 * if nothing is cold. The proof needs a number of probes, which `alike` cells that are cold in the same way share. */
void take_cell(const struct sample *cell, unsigned trials, unsigned alike, int64_t budget);

/* ---- place.c ------------------------------------------------------------------ */

/* The verb `place`; see main.c. */
int place(int count, char **arguments);

#endif
