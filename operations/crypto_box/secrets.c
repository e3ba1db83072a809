/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the secret key and the message. Public: public keys, nonces, boxes. */
#include "crypto_box.h"
#include "secret.h"

#define MAX_LENGTH (crypto_box_ZEROBYTES + 300)

void operation_secrets(void)
{
    unsigned char *pk = allocate(crypto_box_PUBLICKEYBYTES, 0), *sk = allocate(crypto_box_SECRETKEYBYTES, 0);
    unsigned char *m = allocate(MAX_LENGTH, 0), *c = allocate(MAX_LENGTH, 0), *n = allocate(crypto_box_NONCEBYTES, 0);
    int result = crypto_box_keypair(pk, sk);
    secret_clear(pk, crypto_box_PUBLICKEYBYTES);
    secret_mark(sk, crypto_box_SECRETKEYBYTES);
    prng_fill(n, crypto_box_NONCEBYTES);
    secret_mark(m + crypto_box_ZEROBYTES, MAX_LENGTH - crypto_box_ZEROBYTES);
    result |= crypto_box(c, m, MAX_LENGTH, n, pk, sk);
    secret_clear(c, MAX_LENGTH);
    secret_clear(&result, sizeof result);
    if (result) harness_fail(VALID_REJECTED, "rejects a valid message");
}
