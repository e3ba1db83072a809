/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the key and the text. Public: the nonce and the length. */
#include "crypto_stream.h"
#include "secret.h"

void operation_secrets(void)
{
    crypto_stream_key *expanded = allocate(crypto_stream_key_size, 0);
    crypto_stream_state *state = allocate(crypto_stream_state_size, 0);
    uint8_t *key = allocate(crypto_stream_KEYBYTES, 0), *nonce = allocate(crypto_stream_NONCEBYTES, 0);
    static uint8_t first[crypto_stream_FIRSTBYTES], text[1000];
    for (size_t length = 0; length <= sizeof text; length += 1 + length / 2) {
        secret_fill(key, crypto_stream_KEYBYTES);
        secret_fill(text, length);
        prng_fill(nonce, crypto_stream_NONCEBYTES);
        crypto_stream_expandkey(expanded, key);
        crypto_stream_start(state, first, nonce, expanded, length);
        crypto_stream_xor(state, text, text, length);
    }
}
