/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the random bytes, the secret key and the shared key. Public: public
 * keys and ciphertexts. */
#include "crypto_kem.h"
#include "secret.h"

void operation_secrets(void)
{
    static unsigned char pk[crypto_kem_PUBLICKEYBYTES], sk[crypto_kem_SECRETKEYBYTES];
    static unsigned char c[crypto_kem_CIPHERTEXTBYTES], k[crypto_kem_BYTES];
    int result = crypto_kem_keypair(pk, sk);
    secret_clear(pk, sizeof pk);
    secret_mark(sk, sizeof sk);
    result |= crypto_kem_enc(c, k, pk);
    secret_clear(c, sizeof c);
    result |= crypto_kem_dec(k, c, sk);
    c[0] ^= 1;
    (void)crypto_kem_dec(k, c, sk);
    secret_clear(&result, sizeof result);
    if (result) harness_fail(WRONG_OUTPUT, "decoding does not return the key");
}
