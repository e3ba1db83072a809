/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Grain-128AEADv2 in 64-bit words. */
#define GRAIN_AEADV2 1
#include "../../_grain/registers.h"
#include "../../_grain/pairs_portable.h"
#include "../../_grain/aead.h"
