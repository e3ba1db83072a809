/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef NOISE_H
#define NOISE_H

/* Noise probes: the reference kernels, timed to see whether the core is
 * disturbed at this moment. */

#include <stdint.h>

/* A probe is disturbed if its load/chain is above this multiple of the noise
 * floor, or below the floor by this factor. A series is disturbed, too, if the
 * chain changes by more than this factor within it. */
#define DISTURBED_ABOVE 1.04

/* Added to the contention of a series that a context switch, a change of the
 * clock or a slow chain disturbed, so that it ranks behind those that met only
 * load. */
#define OTHER_DISTURBANCE 100

struct noise_probe {
    int64_t chain, load; /* counter units, overhead included */
};

/* Takes one probe. */
struct noise_probe noise_probe_now(void);

/* Returns the last probe, or takes one if that is more than a fifth of a millisecond old. */
struct noise_probe noise_probe_recent(void);

/* Estimates the noise floor of load/chain, and calibrates the counter (clocks.h) meanwhile.
 * `known_floor` is the floor that earlier processes found, or 0: a process that starts
 * beside a busy neighbour cannot find it by itself. */
void noise_open(double known_floor);

/* load/chain divided by the noise floor: about 1 on an undisturbed core. If it is below 1 by as much as disturbs, the
 * chain alone was slow, and a series converted by it would seem too fast: then OTHER_DISTURBANCE and its inverse. (While
 * wide vector units wake up, Intel's server processors hold a core up for a fixed time whenever these begin to work or
 * stop: the chain after a series pays for it, and most calls of the series do not.) */
double probe_contention(struct noise_probe probe);

/* Probes until three in a row are undisturbed or `nanoseconds` have passed. It
 * does not sleep, because sleeping would change the clock. */
void noise_await_quiet(int64_t nanoseconds);

#endif
