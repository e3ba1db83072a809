/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef LEVELS_H
#define LEVELS_H

/* All levels that this executable was linked with. */
#include "api.h"

unsigned level_count(void);
const struct level *level_number(unsigned i);

#endif
