/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The SHA-3 hash functions (FIPS 202, section 6.1); BLOCKBYTES is the rate. */
#include "crypto_hash.h"

#include "keccak.h"

#define SUFFIX 0x06 /* 01, then the padding's 1 */

void crypto_hash_start(crypto_hash_state *state)
{
    keccak_start(state);
}

void crypto_hash_update(crypto_hash_state *state, const unsigned char *in, unsigned long long inlen)
{
    keccak_absorb(state, crypto_hash_BLOCKBYTES, in, inlen);
}

void crypto_hash_end(crypto_hash_state *state, unsigned char *out)
{
    keccak_pad(state, crypto_hash_BLOCKBYTES, SUFFIX);
    keccak_squeeze(state, crypto_hash_BLOCKBYTES, out, crypto_hash_BYTES);
}

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    crypto_hash_state state;
    crypto_hash_start(&state);
    crypto_hash_update(&state, in, inlen);
    crypto_hash_end(&state, out);
    return 0;
}
