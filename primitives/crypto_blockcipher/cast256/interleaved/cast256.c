/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* CAST-256, four blocks at a time. */
#define CAST256_N 4
#include "../../_cast256/cast256.h"
