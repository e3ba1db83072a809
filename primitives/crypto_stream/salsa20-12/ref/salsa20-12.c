/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Salsa20/12 block by block, as its specification tells it. */
#include "crypto_stream.h"
#define SALSA20_ROUNDS 12
#include "../../_salsa20/ref.h"
#include "../../_salsa_chacha/stream.h"
