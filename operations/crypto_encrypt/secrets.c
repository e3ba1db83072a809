/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the random bytes, the secret key and the message. Public: public keys,
 * ciphertexts and lengths. */
#include "crypto_encrypt.h"
#include "secret.h"

#define LONGEST 60

void operation_secrets(void)
{
    static unsigned char pk[crypto_encrypt_PUBLICKEYBYTES], sk[crypto_encrypt_SECRETKEYBYTES];
    static unsigned char m[LONGEST + crypto_encrypt_BYTES], c[LONGEST + crypto_encrypt_BYTES];
    int result = crypto_encrypt_keypair(pk, sk);
    secret_clear(pk, sizeof pk);
    secret_mark(sk, sizeof sk);
    for (size_t length = 0; length <= LONGEST; length += 20) {
        unsigned long long clen, mlen;
        secret_fill(m, length);
        result |= crypto_encrypt(c, &clen, m, length, pk);
        secret_clear(&clen, sizeof clen);
        secret_clear(c, (size_t)clen);
        result |= crypto_encrypt_open(m, &mlen, c, clen, sk);
        secret_clear(&mlen, sizeof mlen);
    }
    secret_clear(&result, sizeof result);
    if (result) harness_fail(WRONG_OUTPUT, "decoding does not return the message");
}
