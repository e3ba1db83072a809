/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef PROBES_H
#define PROBES_H

/* What ways.c and proof.c share: the probes, and the way chosen for each bit
 * with the two times of its probe. */

#include "place.h"

#define ENOUGH 0.95 /* share of probes that must pass */

/* ---- probes.c ------------------------------------------------------------------ */

void probes_open(void);

/* Lines that nothing else uses; there are 64. */
const uint8_t *test_line(size_t number);

/* The probe functions, of which a call takes a random one. */
#define FUNCTIONS 32

/* The time of the probe that belongs to a bit of enum cold; of a buffer, that of a load of `line`. */
int64_t probe_time(unsigned bit, const uint8_t *line);
int64_t load_time(const uint8_t *line);

/* What is to be evicted before that probe is cold. */
struct range probed(unsigned bit, const uint8_t *line);

/* Whether this CPU has vector instructions for a probe. */
int has_vector(void);

/* ---- ways.c -------------------------------------------------------------------- */

struct chosen_way {
    const struct evict_way *way; /* NULL: this machine has none */
    double warm, cold;           /* times of its probe, in counter units */
};
extern struct chosen_way chosen[COLD_BITS];

#endif
