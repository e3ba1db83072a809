/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the key and the message. Public: nonces and boxes. */
#include "crypto_secretbox.h"
#include "secret.h"

#define MAX_LENGTH (crypto_secretbox_ZEROBYTES + 300)

void operation_secrets(void)
{
    static unsigned char m[MAX_LENGTH], c[MAX_LENGTH], n[crypto_secretbox_NONCEBYTES], k[crypto_secretbox_KEYBYTES];
    prng_fill(n, sizeof n);
    secret_fill(k, sizeof k);
    secret_mark(m + crypto_secretbox_ZEROBYTES, MAX_LENGTH - crypto_secretbox_ZEROBYTES);
    if (crypto_secretbox(c, m, MAX_LENGTH, n, k)) harness_fail(VALID_REJECTED, "rejects a valid message");
}
