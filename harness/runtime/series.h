/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SERIES_H
#define SERIES_H

/* One series of timings. */

#include "conditions.h"
#include "harness.h"

/* Takes a series, or a short one twice, of which the second counts; `retakes` were taken before, and the inputs may be
 * the same as at first. Returns its conditions. */
struct series_conditions take_warmed_up(struct sample *sample, unsigned retakes, int same_inputs);

#endif
