/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* wolfCrypt's ChaCha20. */
#include "crypto_stream.h"

#define FIRST crypto_stream_FIRSTBYTES

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    wc_Chacha_SetKey(&expanded->context, key, crypto_stream_KEYBYTES);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first, const uint8_t *nonce,
                         const crypto_stream_key *expanded, uint64_t soon)
{
    static const uint8_t zero[FIRST];
    (void)soon;
    state->context = expanded->context;
    wc_Chacha_SetIV(&state->context, nonce, 0);
    wc_Chacha_Process(&state->context, first, zero, FIRST);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out, const uint8_t *in, uint64_t length)
{
    if (length) wc_Chacha_Process(&state->context, out, in, (word32)length);
}
