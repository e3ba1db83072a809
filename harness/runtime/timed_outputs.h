/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef TIMED_OUTPUTS_H
#define TIMED_OUTPUTS_H

/* The digest of what a timed call has computed. The operation passes it to timed_output and the like (timing.h). */

#include "harness.h"

/* Before a call. */
void outputs_begin(void);

/* After it: returns the digest, and stores in the sample who can compute it again. */
uint32_t outputs_digest(struct sample *sample);

#endif
