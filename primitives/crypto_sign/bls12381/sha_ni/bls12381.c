/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* BLS signatures on BLS12-381; six limbs of 64 bits, multiplied by mulx with two carry
 * chains, SHA instructions. */
#include <stdint.h>
#include <string.h>

#include "crypto_sign.h"
#define SMALL_HASH_NI
#define LIMB_BITS 64
#define FIELD_X86
#include "../../_bls12381/scheme.h"
