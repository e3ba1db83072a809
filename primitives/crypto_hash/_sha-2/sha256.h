/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* SHA-224 and SHA-256: FIPS 180-4, sections 4.1.2, 4.2.2, 6.2. */
#include "bytes.h"
#include "sha256_constants.h"

#define HASH_WORD uint32_t
#define HASH_STORE store_be32
#define HASH_LOAD load_be32
#define HASH_ROUNDS 64
#define HASH_BLOCK 64
#define HASH_LENGTH 8
#define HASH_CONSTANTS sha256_k

#define ROTR(x, n) rotr32(x, n)
#define BIG0(x) (ROTR(x, 2) ^ ROTR(x, 13) ^ ROTR(x, 22))
#define BIG1(x) (ROTR(x, 6) ^ ROTR(x, 11) ^ ROTR(x, 25))
#define SMALL0(x) (ROTR(x, 7) ^ ROTR(x, 18) ^ ((x) >> 3))
#define SMALL1(x) (ROTR(x, 17) ^ ROTR(x, 19) ^ ((x) >> 10))

#include "rounds.h"
