/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* BLS signatures; 32-bit limbs, Montgomery's multiplication: portable C. */
#include <stdint.h>
#include <string.h>

#include "crypto_sign.h"
#define LIMB_BITS 32
#include "../../_bls/field_montgomery.h"
#include "../../_bls/scheme.h"
