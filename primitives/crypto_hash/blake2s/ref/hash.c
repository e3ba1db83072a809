/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* BLAKE2s: RFC 7693, section 2 (the initialisation vector is SHA-256's). */
#include "crypto_hash.h"

#include "bytes.h"

#define WORD uint32_t
#define BITS 32
#define LOAD load_le32
#define STORE store_le32
#define ROUNDS 10
#define ROTR(x, n) rotr32(x, n)
#define R1 16
#define R2 12
#define R3 8
#define R4 7

static const WORD start_value[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372,
    0xa54ff53a, 0x510e527f, 0x9b05688c,
    0x1f83d9ab, 0x5be0cd19,
};

#include "../../_blake2/blake2.h"
