/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CLOCKS_H
#define CLOCKS_H

/* The clocks of this process: the counter (counter.h), with its dither (dither.h) and the limits of a series in its units
 * (timing.h), and the kernel's monotonic clock. */

#include <stdint.h>

/* Opens the counter, or fails with the reason. */
void counter_start(void);

/* Sets the limits of a series. Before, no call is long and no series takes too long. */
void counter_calibrate(double counts_per_nanosecond);

/* The monotonic clock. */
int64_t nanoseconds_now(void);

#endif
