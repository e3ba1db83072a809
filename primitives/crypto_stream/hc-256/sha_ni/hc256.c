/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* HC-256 in C, sixteen steps at a time, the expansion with the SHA-256
 * instructions of x86. */

#include "crypto_stream.h"

#include "../../_hc/expand.h"
#include "../../_hc/w_sha.h"
#include "../../_hc/hc256_unrolled.h"
