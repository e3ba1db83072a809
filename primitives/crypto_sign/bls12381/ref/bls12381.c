/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* BLS signatures on BLS12-381; 32-bit limbs, Montgomery's multiplication: portable C. */
#include <stdint.h>
#include <string.h>

#include "crypto_sign.h"
#define LIMB_BITS 32
#include "../../_bls12381/scheme.h"
