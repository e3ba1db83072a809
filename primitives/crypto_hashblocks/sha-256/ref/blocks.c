/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The state as bytes, FIPS 180-4's word order, around the iteration of the hash. */
#include "crypto_hashblocks.h"

#include "../../../crypto_hash/_sha-2/sha256.h"

int crypto_hashblocks(unsigned char *state, const unsigned char *in, unsigned long long inlen)
{
    HASH_WORD h[8];
    for (unsigned i = 0; i < 8; i++) h[i] = load_be32(state + sizeof h[0] * i);
    hash_blocks(h, in, inlen / HASH_BLOCK);
    for (unsigned i = 0; i < 8; i++) HASH_STORE(state + sizeof h[0] * i, h[i]);
    return (int)(inlen % HASH_BLOCK);
}
