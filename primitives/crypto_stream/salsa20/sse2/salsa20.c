/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Salsa20 on vectors. */
#include "crypto_stream.h"
#define SALSA20_ROUNDS 20
#include "../../_salsa20/sse2.h"
#include "../../_salsa20/stream.h"
