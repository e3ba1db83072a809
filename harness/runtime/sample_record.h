/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SAMPLE_RECORD_H
#define SAMPLE_RECORD_H

#include "conditions.h"
#include "harness.h"

/* Prints a `sample` record. */
void record_sample(const struct sample *sample, const struct series_conditions *conditions);

/* Prints a series of long calls, whose disturbed and undisturbed timings become samples of their own. Returns how many
 * were undisturbed. */
unsigned record_long_calls(const struct sample *sample, long retakes);

/* Prints the digests of what `timings` calls computed: after `any` or, if only the same executable can compute it
 * again, `own`; nothing if nobody can. */
void record_digests(const struct sample *sample, const uint32_t *digests, unsigned timings);

#endif
