/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the random bytes and the secret key. Public: messages, signed messages
 * and public keys. */
#include "crypto_sign.h"
#include "secret.h"

#define MAX_LENGTH 100

void operation_secrets(void)
{
#ifndef crypto_sign_STATEFUL /* of a stateful key the position in the tree is public, and it is part of the secret key */
    static unsigned char m[MAX_LENGTH];
    unsigned char *pk = allocate(crypto_sign_PUBLICKEYBYTES, 0), *sk = allocate(crypto_sign_SECRETKEYBYTES, 0);
    unsigned char *sm = allocate(MAX_LENGTH + crypto_sign_BYTES, 0);
    int result = crypto_sign_keypair(pk, sk);
    secret_clear(&result, sizeof result);
    if (result) harness_fail(CALL_FAILED, "key generation fails");
    secret_clear(pk, crypto_sign_PUBLICKEYBYTES);
    secret_mark(sk, crypto_sign_SECRETKEYBYTES);
    for (size_t length = 0; length <= MAX_LENGTH; length += 50) {
        unsigned long long smlen;
        prng_fill(m, length);
        result = crypto_sign(sm, &smlen, m, length, sk);
        secret_clear(&result, sizeof result);
        secret_clear(&smlen, sizeof smlen);
        if (result) harness_fail(VALID_REJECTED, "signing fails");
    }
#endif
}
