/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* SOSEMANUK with GFNI for the register and AVX2 for the output S-box on long
 * messages; set-up and short messages as in ../unrolled. */

#include "crypto_stream.h"

#include "../../_sosemanuk/register_gfni.h"
#include "../../_sosemanuk/setup.h"

#define SUBSTITUTE(x0, x1, x2, x3) SERPENT_S2(__m256i, x0, x1, x2, x3)
#define WIDE_FROM 384

#include "../../_sosemanuk/wide.h"
