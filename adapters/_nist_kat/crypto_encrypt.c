/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Known answers of crypto_encrypt; see kat.h. */
#include "crypto_encrypt.h"

#include <string.h>

#include "kat.h"

#define PK crypto_encrypt_PUBLICKEYBYTES
#define SK crypto_encrypt_SECRETKEYBYTES

const size_t record_message_bytes = 16;

void record_answer(const struct record *record)
{
    static uint8_t pk[PK], sk[SK];
    const size_t mlen = record->length;
    uint8_t *c = allocate(mlen + crypto_encrypt_BYTES + 1, 0);
    uint8_t *opened = allocate(mlen + crypto_encrypt_BYTES + 1, 0);
    unsigned long long clen = 0, length = 0;
    text_number("mlen", mlen);
    text_hex("msg", record->message, mlen);
    if (crypto_encrypt_keypair(pk, sk)) harness_fail(VALID_REJECTED, "key generation fails");
    text_hex("pk", pk, PK);
    text_hex("sk", sk, SK);
    if (crypto_encrypt(c, &clen, record->message, mlen, pk)) harness_fail(VALID_REJECTED, "encryption fails");
    if (clen > mlen + crypto_encrypt_BYTES) harness_fail(WRONG_OUTPUT, "ciphertexts are longer than api.h says");
    text_number("clen", clen);
    text_hex("c", c, (size_t)clen);
    if (crypto_encrypt_open(opened, &length, c, clen, sk) || length != mlen ||
        (mlen && memcmp(opened, record->message, mlen)))
        harness_fail(WRONG_OUTPUT, "decryption does not return the plaintext");
}

int surf_test(void)
{
    return -1;
}
