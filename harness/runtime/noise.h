/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef NOISE_H
#define NOISE_H

/* The reference kernels timed now, and what they say of the moment. */

#include <stdint.h>

/* Above this much over the quiet level of load/chain a moment is disturbed;
 * the same allowance holds for a change of the clock within a series. */
#define DISTURBED_ABOVE 1.04

/* Added to that factor where something else than load disturbed a series, so
 * that it ranks last. */
#define OTHER_DISTURBANCE 100

struct noise_probe {
    int64_t chain, load;
};

struct noise_probe noise_probe_now(void);

/* Listens for the quiet level; `known` is what the same kernels reached in
 * earlier processes, 0 if nothing is known: a process that starts beside a busy
 * neighbour cannot hear for itself what quiet is. */
void noise_open(double known);

/* load/chain over its quiet level: about 1 when nobody else is on the core. */
double probe_contention(struct noise_probe moment);

/* Waits, busy (sleeping would change the clock), until moments are quiet or
 * so many nanoseconds have passed. */
void noise_await_quiet(int64_t nanoseconds);

int64_t nanoseconds_now(void);

#endif
