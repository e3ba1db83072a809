/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the random bytes, the secret key and the message. Public: public keys,
 * ciphertexts and lengths. */
#include "crypto_encrypt.h"
#include "secret.h"

#define MAX_LENGTH 60

void operation_secrets(void)
{
    const size_t most = MAX_LENGTH + crypto_encrypt_BYTES;
    unsigned char *pk = allocate(crypto_encrypt_PUBLICKEYBYTES, 0), *sk = allocate(crypto_encrypt_SECRETKEYBYTES, 0);
    unsigned char *m = allocate(most, 0), *c = allocate(most, 0);
    int result = crypto_encrypt_keypair(pk, sk);
    secret_clear(pk, crypto_encrypt_PUBLICKEYBYTES);
    secret_mark(sk, crypto_encrypt_SECRETKEYBYTES);
    for (size_t length = 0; length <= MAX_LENGTH; length += 20) {
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
