/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Salsa20 in 32-bit words that stay in registers. */
#include "crypto_stream.h"
#define SALSA20_ROUNDS 20
#include "../../_salsa20/portable.h"
#include "../../_salsa20/stream.h"
