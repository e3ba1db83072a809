/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the message. Public: its length. */
#include "crypto_hash.h"
#include "secret.h"

void operation_secrets(void)
{
    static unsigned char message[600];
    unsigned char *hash = allocate(crypto_hash_BYTES, 0);
    for (size_t length = 0; length <= sizeof message; length += 1 + length / 2) {
        secret_fill(message, length);
        (void)crypto_hash(hash, message, length);
    }
}
