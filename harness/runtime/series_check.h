/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SERIES_CHECK_H
#define SERIES_CHECK_H

#include "harness.h"

/* Fails if the start of the timings was moved, or if repeated inputs cost a fraction of new ones. */
void series_check(const struct sample *sample);

#endif
