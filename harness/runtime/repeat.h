/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef REPEAT_H
#define REPEAT_H

/* What the verb `repeat` learns from the calls that it makes again (repeat.c). */

#include <stdint.h>

/* Adds the digest of a call's output, and how long it took in counter units. */
void repeat_called(uint32_t digest, int64_t took);

#endif
