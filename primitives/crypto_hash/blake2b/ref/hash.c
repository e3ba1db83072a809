/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* BLAKE2b: RFC 7693, section 2 (the initialisation vector is SHA-512's). */
#include "crypto_hash.h"

#include "bytes.h"

#define WORD uint64_t
#define BITS 64
#define LOAD load_le64
#define STORE store_le64
#define ROUNDS 12
#define ROTR(x, n) rotl64(x, 64 - (n))
#define R1 32
#define R2 24
#define R3 16
#define R4 63

static const WORD start_value[8] = {
    UINT64_C(0x6a09e667f3bcc908), UINT64_C(0xbb67ae8584caa73b), UINT64_C(0x3c6ef372fe94f82b),
    UINT64_C(0xa54ff53a5f1d36f1), UINT64_C(0x510e527fade682d1), UINT64_C(0x9b05688c2b3e6c1f),
    UINT64_C(0x1f83d9abfb41bd6b), UINT64_C(0x5be0cd19137e2179),
};

#include "../../_blake2/blake2.h"
