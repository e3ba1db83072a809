/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* NTRUEncrypt EES251EP6: vectors of 16 coefficients. */
#include "crypto_encrypt.h"
#define SALSA20_ROUNDS 20
#define SMALL_HASH_NI
#include "../../../crypto_stream/_salsa20/avx2.h"
#include "../../_ntru/ees251ep6.h"
#include "../../_ntru/avx2.h"
#include "../../_ntru/ring_vector.h"
#include "../../_ntru/scheme.h"
