/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* CAST-256 to be read beside RFC 2612, one block at a time. */
#define CAST256_N 1
#include "../../_cast256/cast256.h"
