/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Salsa20/8 on vectors of eight words: several blocks a pass, each in a
 * column (Goll, Gueron: Vectorization on ChaCha stream cipher, ITNG 2014) or in a
 * lane (Bernstein: Salsa20 specification, 2005, sections 4 to 6), and one
 * block more in the integer unit meanwhile.
 * How many: by how many are wanted, see cipher_plan. */
#include "crypto_stream.h"
#define SALSA20_ROUNDS 8
#include "../../_salsa20/avx2.h"
#include "../../_salsa_chacha/stream.h"
