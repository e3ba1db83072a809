/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* HC-128 in portable C, sixteen steps at a time. */

#include "crypto_stream.h"

#include "../../_hc/w_scalar.h"
#include "../../_hc/hc128_unrolled.h"
