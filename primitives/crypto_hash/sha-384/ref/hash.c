/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* FIPS 180-4, section 5.3: the first 64 bits of the fractional parts
 * of the square roots of the 9th to 16th primes. */
#include "crypto_hash.h"

#include "../../_sha-2/sha512.h"

static const uint64_t hash_start_value[8] = {
    UINT64_C(0xcbbb9d5dc1059ed8), UINT64_C(0x629a292a367cd507), UINT64_C(0x9159015a3070dd17),
    UINT64_C(0x152fecd8f70e5939), UINT64_C(0x67332667ffc00b31), UINT64_C(0x8eb44a8768581511),
    UINT64_C(0xdb0c2e0d64f98fa7), UINT64_C(0x47b5481dbefa4fa4),
};

#include "../../_merkle-damgard/merkle_damgard.h"
