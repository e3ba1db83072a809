/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The mixes of packets of workloads, for measures that time a packet between
 * others (`cyclometer rank`). The grid lines that describe them come before all
 * others:
 *
 *   mix NAME ORDER MEASURE:LENGTH:AD_LENGTH:WEIGHT,...
 *
 * ORDER is that of the keys: random, round-robin, zipf:1.0 or bursts:N. A packet
 * is drawn with a probability in proportion to its weight. */
#ifndef MIX_H
#define MIX_H

#include "harness.h"

struct mix_packet {
    const char *measure; /* what is done with it, such as "encrypt" */
    uint64_t length, ad_length;
};

/* Draws from the mix that a measure replay-NAME-... names from now on. Fails if there is none. */
void mix_choose(const char *measure);

/* Draws a packet. */
const struct mix_packet *mix_draw(void);

/* Draws the key, below `keys`, of the packet after one under the key `previous`. */
uint64_t mix_next_key(uint64_t previous, uint64_t keys);

/* Returns whether a packet is under the same key as the one before: bursts of N do that N - 1 times of N. */
int mix_continues(void);

#endif
