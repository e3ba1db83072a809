/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* FIPS 180-4, section 5.3: the second 32 bits of the fractional parts
 * of the square roots of the 9th to 16th primes. */
#include "crypto_hash.h"

#include "../../_sha-2/sha256.h"

static const uint32_t hash_start_value[8] = {
    0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939,
    0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4,
};

#include "../../_merkle-damgard/merkle_damgard.h"
