/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the secret key and the message. Public: public keys, nonces, boxes. */
#include "crypto_box.h"
#include "secret.h"

#define MAX_LENGTH (crypto_box_ZEROBYTES + 300)

void operation_secrets(void)
{
    static unsigned char pk[crypto_box_PUBLICKEYBYTES], sk[crypto_box_SECRETKEYBYTES];
    static unsigned char m[MAX_LENGTH], c[MAX_LENGTH], n[crypto_box_NONCEBYTES];
    int result = crypto_box_keypair(pk, sk);
    secret_clear(pk, sizeof pk);
    secret_mark(sk, sizeof sk);
    prng_fill(n, sizeof n);
    secret_mark(m + crypto_box_ZEROBYTES, MAX_LENGTH - crypto_box_ZEROBYTES);
    result |= crypto_box(c, m, MAX_LENGTH, n, pk, sk);
    secret_clear(c, sizeof c);
    secret_clear(&result, sizeof result);
    if (result) harness_fail(VALID_REJECTED, "rejects a valid message");
}
