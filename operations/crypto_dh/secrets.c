/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the random bytes, the secret key and the shared secret. Public: public
 * keys. */
#include "crypto_dh.h"
#include "secret.h"

void operation_secrets(void)
{
    static unsigned char pk[crypto_dh_PUBLICKEYBYTES], sk[crypto_dh_SECRETKEYBYTES], shared[crypto_dh_BYTES];
    int result = crypto_dh_keypair(pk, sk);
    secret_clear(pk, sizeof pk);
    secret_mark(sk, sizeof sk);
    result |= crypto_dh(shared, pk, sk);
    secret_clear(&result, sizeof result);
    if (result) harness_fail(VALID_REJECTED, "rejects a valid key");
}
