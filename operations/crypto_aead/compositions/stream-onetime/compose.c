/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A stream cipher and a one-time authenticator. Of a keystream, 16 bytes can be taken first and the
 * rest at once, so the second half of the one-time key is made together with the text, in the
 * room before it. */
#include "crypto_aead.h"

#include <string.h>

#define TAG crypto_aead_TAGBYTES
#define SLACK 16

_Static_assert(crypto_stream_FIRSTBYTES == 16, "r is the first keystream bytes");

static int cipher_expandkey(crypto_stream_key *cipher, const uint8_t *key)
{
    crypto_stream_expandkey(cipher, key);
    return 0;
}

static int one_time_key(uint8_t *rs, const uint8_t *nonce, const crypto_stream_key *key)
{
    crypto_stream_state state;
    crypto_stream_start(&state, rs, nonce, key, SLACK);
    memset(rs + 16, 0, SLACK);
    crypto_stream_xor(&state, rs + 16, rs + 16, SLACK);
    return 0;
}

static int encrypt_text(uint8_t *rs, uint8_t *packet, const uint8_t *in, uint64_t length, const uint8_t *nonce,
                        const crypto_stream_key *key)
{
    crypto_stream_state state;
    crypto_stream_start(&state, rs, nonce, key, SLACK + length);
    if (length) memmove(packet + SLACK, in, (size_t)length);
    memset(packet, 0, SLACK);
    crypto_stream_xor(&state, packet, packet, SLACK + length);
    memcpy(rs + 16, packet, SLACK);
    return 0;
}

static int decrypt_text(uint8_t *out, uint8_t *text, uint64_t length, const uint8_t *nonce,
                        const crypto_stream_key *key)
{
    crypto_stream_state state;
    uint8_t first[16];
    crypto_stream_start(&state, first, nonce, key, SLACK + length);
    crypto_stream_xor(&state, text - SLACK, text - SLACK, SLACK + length);
    if (length) memcpy(out, text, (size_t)length);
    return 0;
}

#include "../_onetime/onetime.h"
