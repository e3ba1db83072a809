/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Grain-128a, bit by bit. */
#define GRAIN_AEADV2 0
#include "../../_grain/ref.h"
