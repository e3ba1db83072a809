/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* McEliece (2048, 1696), 32 errors: the field's elements bit by bit in vectors of
 * the width of the name, polynomials in vectors of 16-bit coefficients. */
#include "crypto_encrypt.h"
#define SMALL_HASH_NI
#define SALSA20_ROUNDS 20
#include "../../../crypto_stream/_salsa20/avx2.h"
#include "../../_mceliece/generator.h"
#include "../../_mceliece/decode.h"
#include "../../_mceliece/scheme.h"
