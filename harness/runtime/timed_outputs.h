/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef TIMED_OUTPUTS_H
#define TIMED_OUTPUTS_H

#include "harness.h"

/* Seeds what a series draws before its first timing; timing_begin seeds each timing. */
void series_begin(uint64_t seed, const struct sample *sample);

/* Fails if the start of the timings was moved, or if repeated inputs cost a fraction of new ones. */
void series_check(const struct sample *sample);

#endif
