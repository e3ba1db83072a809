/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* BLS signatures on BLS12-381; six limbs of 64 bits, Montgomery's multiplication. */
#include <stdint.h>
#include <string.h>

#include "crypto_sign.h"
#define LIMB_BITS 64
#include "../../_bls12381/scheme.h"
