/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Salsa20/12 block by block: the sixteen words in local variables, which
 * compilers keep in registers as far as there are any, and from there straight
 * into the message. */
#include "crypto_stream.h"
#define SALSA20_ROUNDS 12
#include "../../_salsa20/portable.h"
#include "../../_salsa20/stream.h"
