/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the message. Public: the lengths. */
#include "crypto_xof.h"
#include "secret.h"

void operation_secrets(void)
{
    static unsigned char message[600], out[500];
    for (size_t length = 0; length <= sizeof message; length += 1 + length / 2) {
        secret_fill(message, length);
        (void)crypto_xof(out, sizeof out, message, length);
    }
}
