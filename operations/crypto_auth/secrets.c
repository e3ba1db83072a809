/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the key and the message. Public: the length. */
#include "crypto_auth.h"
#include "secret.h"

void operation_secrets(void)
{
    static unsigned char message[600];
    unsigned char *k = allocate(crypto_auth_KEYBYTES, 0), *tag = allocate(crypto_auth_BYTES, 0);
    for (size_t length = 0; length <= sizeof message; length += 1 + length / 2) {
        secret_fill(k, crypto_auth_KEYBYTES);
        secret_fill(message, length);
        (void)crypto_auth(tag, message, length, k);
    }
}
