/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the random bytes, the secret key and the shared secret. Public: public
 * keys. */
#include "crypto_dh.h"
#include "secret.h"

void operation_secrets(void)
{
    unsigned char *pk = allocate(crypto_dh_PUBLICKEYBYTES, 0), *sk = allocate(crypto_dh_SECRETKEYBYTES, 0);
    unsigned char *shared = allocate(crypto_dh_BYTES, 0);
    int result = crypto_dh_keypair(pk, sk);
    secret_clear(pk, crypto_dh_PUBLICKEYBYTES);
    secret_mark(sk, crypto_dh_SECRETKEYBYTES);
    result |= crypto_dh(shared, pk, sk);
    secret_clear(&result, sizeof result);
    if (result) harness_fail(VALID_REJECTED, "rejects a valid key");
}
