/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the random bytes, the secret key and the shared key. Public: public
 * keys and ciphertexts. */
#include "crypto_kem.h"
#include "secret.h"

void operation_secrets(void)
{
    unsigned char *pk = allocate(crypto_kem_PUBLICKEYBYTES, 0), *sk = allocate(crypto_kem_SECRETKEYBYTES, 0);
    unsigned char *c = allocate(crypto_kem_CIPHERTEXTBYTES, 0), *k = allocate(crypto_kem_BYTES, 0);
    int result = crypto_kem_keypair(pk, sk);
    secret_clear(pk, crypto_kem_PUBLICKEYBYTES);
    secret_mark(sk, crypto_kem_SECRETKEYBYTES);
    result |= crypto_kem_enc(c, k, pk);
    secret_clear(c, crypto_kem_CIPHERTEXTBYTES);
    result |= crypto_kem_dec(k, c, sk);
    c[0] ^= 1;
    (void)crypto_kem_dec(k, c, sk);
    secret_clear(&result, sizeof result);
    if (result) harness_fail(WRONG_OUTPUT, "decoding does not return the key");
}
