/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* FIPS 180-4, section 5.3: the first 64 bits of the fractional parts
 * of the square roots of the first 8 primes. */
#include "crypto_hash.h"

#include "../../_sha-2/sha512.h"

static const uint64_t hash_start_value[8] = {
    UINT64_C(0x6a09e667f3bcc908), UINT64_C(0xbb67ae8584caa73b), UINT64_C(0x3c6ef372fe94f82b),
    UINT64_C(0xa54ff53a5f1d36f1), UINT64_C(0x510e527fade682d1), UINT64_C(0x9b05688c2b3e6c1f),
    UINT64_C(0x1f83d9abfb41bd6b), UINT64_C(0x5be0cd19137e2179),
};

#include "../../_merkle-damgard/merkle_damgard.h"
