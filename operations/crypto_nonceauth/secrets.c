/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the key and the message. Public: the nonce and the length. */
#include "crypto_nonceauth.h"
#include "secret.h"

void operation_secrets(void)
{
    static unsigned char message[600], tag[crypto_nonceauth_BYTES];
    static unsigned char k[crypto_nonceauth_KEYBYTES + 1], n[crypto_nonceauth_NONCEBYTES + 1];
    for (size_t length = 0; length <= sizeof message; length += 1 + length / 2) {
        secret_fill(k, crypto_nonceauth_KEYBYTES);
        secret_fill(message, length);
        prng_fill(n, crypto_nonceauth_NONCEBYTES);
        (void)crypto_nonceauth(tag, message, length, n, k);
    }
}
