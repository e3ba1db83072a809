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
    static struct guard pks, sks, ciphertexts, messages;
    const size_t mlen = record->length, room = mlen + crypto_encrypt_BYTES;
    uint8_t *pk = zeroed(&pks, PK, PK, "public key"), *sk = zeroed(&sks, SK, SK, "secret key");
    uint8_t *c = zeroed(&ciphertexts, room, room, "ciphertext"), *opened = zeroed(&messages, room, room, "plaintext");
    unsigned long long clen = 0, length = 0;
    text_number("mlen", mlen);
    text_hex("msg", record->message, mlen);
    if (crypto_encrypt_keypair(pk, sk)) harness_fail(VALID_REJECTED, "key generation fails");
    guard_check(&pks, "public key");
    guard_check(&sks, "secret key");
    text_hex("pk", pk, PK);
    text_hex("sk", sk, SK);
    if (crypto_encrypt(c, &clen, record->message, mlen, pk)) harness_fail(VALID_REJECTED, "encryption fails");
    guard_check(&ciphertexts, "ciphertext");
    if (clen > room) harness_fail(WRONG_OUTPUT, "ciphertexts are longer than api.h says");
    text_number("clen", clen);
    text_hex("c", c, (size_t)clen);
    const int failed = crypto_encrypt_open(opened, &length, c, clen, sk);
    guard_check(&messages, "plaintext");
    if (failed || length != mlen || (mlen && memcmp(opened, record->message, mlen)))
        harness_fail(WRONG_OUTPUT, "decryption does not return the plaintext");
}

int surf_test(void)
{
    return -1;
}
