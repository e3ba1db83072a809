/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the key and the message. Public: the length. */
#include "crypto_auth.h"
#include "secret.h"

void operation_secrets(void)
{
    static unsigned char message[600], k[crypto_auth_KEYBYTES + 1], tag[crypto_auth_BYTES];
    for (size_t length = 0; length <= sizeof message; length += 1 + length / 2) {
        secret_fill(k, crypto_auth_KEYBYTES);
        secret_fill(message, length);
        (void)crypto_auth(tag, message, length, k);
    }
}
