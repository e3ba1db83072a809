/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the key and the message. Public: the length. */
#include "crypto_onetimeauth.h"
#include "secret.h"

void operation_secrets(void)
{
    static uint8_t message[1000], key[crypto_onetimeauth_KEYBYTES + 1], tag[crypto_onetimeauth_BYTES];
    for (size_t length = 0; length <= sizeof message; length += 1 + length / 2) {
        secret_fill(key, crypto_onetimeauth_KEYBYTES);
        secret_fill(message, length);
        (void)crypto_onetimeauth(tag, message, length, key);
    }
}
