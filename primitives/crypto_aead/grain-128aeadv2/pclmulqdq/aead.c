/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Grain-128AEADv2 in 64-bit words, with pext and carry-less products. */
#define GRAIN_AEADV2 1
#include "../../_grain/registers.h"
#include "../../_grain/pairs_clmul.h"
#include "../../_grain/aead.h"
