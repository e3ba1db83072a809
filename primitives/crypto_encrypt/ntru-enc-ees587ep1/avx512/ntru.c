/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* NTRUEncrypt EES587EP1: vectors of 32 coefficients, a whole element in registers. */
#include "crypto_encrypt.h"
#define SALSA20_ROUNDS 20
#define SMALL_HASH_NI
#include "../../../crypto_stream/_salsa20/avx512.h"
#include "../../_ntru/ees587ep1.h"
#include "../../_ntru/avx512.h"
#include "../../_ntru/ring_vector.h"
#include "../../_ntru/scheme.h"
