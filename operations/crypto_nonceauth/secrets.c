/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the key and the message. Public: the nonce and the length. */
#include "crypto_nonceauth.h"
#include "secret.h"

void operation_secrets(void)
{
    static unsigned char message[600];
    unsigned char *k = allocate(crypto_nonceauth_KEYBYTES, 0), *n = allocate(crypto_nonceauth_NONCEBYTES, 0);
    unsigned char *tag = allocate(crypto_nonceauth_BYTES, 0);
    for (size_t length = 0; length <= sizeof message; length += 1 + length / 2) {
        secret_fill(k, crypto_nonceauth_KEYBYTES);
        secret_fill(message, length);
        prng_fill(n, crypto_nonceauth_NONCEBYTES);
        (void)crypto_nonceauth(tag, message, length, n, k);
    }
}
