/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Grain-128AEADv2, bit by bit. */
#define GRAIN_AEADV2 1
#include "../../_grain/ref.h"
