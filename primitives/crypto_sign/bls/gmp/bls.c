/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* BLS signatures; field arithmetic by the GNU multiple precision library. */
#include <stdint.h>
#include <string.h>

#include "crypto_sign.h"
#include "../../_bls/field_gmp.h"
#include "../../_bls/scheme.h"
