/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* SOSEMANUK with the three-input instruction of AVX-512 for Serpent, GFNI for
 * the register. */

#include "crypto_stream.h"

#include "../../_sosemanuk/register_gfni.h"
#include "../../_sosemanuk/setup_ternary.h"

#define SUBSTITUTE(x0, x1, x2, x3) TERNARY_S(mm256, 2)
#define WIDE_FROM 384

#include "../../_sosemanuk/wide.h"
