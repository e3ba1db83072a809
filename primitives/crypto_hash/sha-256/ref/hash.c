/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* FIPS 180-4, section 5.3: the first 32 bits of the fractional parts
 * of the square roots of the first 8 primes. */
#include "crypto_hash.h"

#include "../../_sha-2/sha256.h"

static const uint32_t hash_start_value[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

#include "../../_merkle-damgard/merkle_damgard.h"
