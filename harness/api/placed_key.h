/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef PLACED_KEY_H
#define PLACED_KEY_H

#include "harness.h"
#include "placement.h"

/* Names the key that the series reads, and returns where to read it: in executables that measure placement a copy at
 * the sample's key alignment, in all others the key itself. */
#ifdef PLACEMENT
const void *placed_key(const struct sample *sample, const void *key, size_t bytes);
#else
static inline const void *placed_key(const struct sample *sample, const void *key, size_t bytes)
{
    (void)sample, (void)bytes;
    return key;
}
#endif

#endif
