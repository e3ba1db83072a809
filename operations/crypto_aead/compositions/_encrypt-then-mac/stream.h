/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The cipher is a crypto_stream. A nonce that is shorter than the stream's is extended with zero
 * bytes in front, where AES-CTR of the eSTREAM benchmark has its counter. */
#include <string.h>

#include "bytes.h"

#define FIRST crypto_stream_FIRSTBYTES
#define EXTENSION (crypto_stream_NONCEBYTES - crypto_aead_NONCEBYTES)

_Static_assert(EXTENSION >= 0, "nonce_bytes exceeds the stream's nonce");

static int cipher_expandkey(crypto_stream_key *cipher, const uint8_t *key)
{
    crypto_stream_expandkey(cipher, key);
    return 0;
}

static int apply(uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *nonce, const crypto_stream_key *key)
{
    const uint64_t now = length < FIRST ? length : FIRST;
    uint8_t first[FIRST], extended[crypto_stream_NONCEBYTES] = {0};
    crypto_stream_state state;
    memcpy(extended + EXTENSION, nonce, crypto_aead_NONCEBYTES);
    crypto_stream_start(&state, first, extended, key, length - now);
    xor_bytes(out, in, first, now);
    if (length > now) crypto_stream_xor(&state, out + now, in + now, length - now);
    return 0;
}
