/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the key and the text. Public: the nonce and the length. */
#include "crypto_stream.h"
#include "secret.h"

void operation_secrets(void)
{
    static uint8_t key[crypto_stream_KEYBYTES + 1], nonce[crypto_stream_NONCEBYTES + 1], text[1000];
    for (size_t length = 0; length <= sizeof text; length += 1 + length / 2) {
        secret_fill(key, crypto_stream_KEYBYTES);
        prng_fill(nonce, crypto_stream_NONCEBYTES);
        (void)crypto_stream(text, length, nonce, key);
        secret_fill(text, length);
        (void)crypto_stream_xor(text, text, length, nonce, key);
    }
}
