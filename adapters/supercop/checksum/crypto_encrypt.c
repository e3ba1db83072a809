/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The checksum of crypto_encrypt; see checksum.h. */
#include "crypto_encrypt.h"

#include "checksum.h"

static struct sum_array pk, sk, message, ciphertext, opened;

static int call_keypair(unsigned char *const *p)
{
    return crypto_encrypt_keypair(p[0], p[1]);
}

static int call(unsigned char *const *p)
{
    unsigned long long length = ciphertext.length;
    const int result = crypto_encrypt(p[0], &length, p[1], message.length, p[2]);
    if (!result && length > message.length + crypto_encrypt_BYTES)
        harness_fail(WRONG_OUTPUT, "returns %llu bytes instead of %zu", length, message.length);
    if (!result) ciphertext.length = (size_t)length;
    return result;
}

static int call_open(unsigned char *const *p)
{
    unsigned long long length = opened.length;
    const int result = crypto_encrypt_open(p[0], &length, p[1], ciphertext.length, p[2]);
    if (!result && length > ciphertext.length)
        harness_fail(WRONG_OUTPUT, "opening returns %llu bytes instead of %zu", length, ciphertext.length);
    if (!result) opened.length = (size_t)length;
    return result;
}

static const struct sum_function keypair = {"crypto_encrypt_keypair", call_keypair, {&pk, &sk}, {NULL}, 1, 1},
                                 encrypt = {"crypto_encrypt", call, {&ciphertext}, {&message, &pk}, 1, 1},
                                 open = {"crypto_encrypt_open", call_open, {&opened}, {&ciphertext, &sk}, 0, 0};

void sum_test(void)
{
    const size_t longest = sum_longest(128, 4096);
    sum_open(&pk, "public key", crypto_encrypt_PUBLICKEYBYTES);
    sum_open(&sk, "secret key", crypto_encrypt_SECRETKEYBYTES);
    sum_open(&message, "message", longest);
    sum_open(&ciphertext, "ciphertext", longest + crypto_encrypt_BYTES);
    sum_open(&opened, "opened message", longest + crypto_encrypt_BYTES);
    for (size_t loop = 0; loop < sum_loops(8, 64); loop++) {
        const size_t length = sum_random() % (longest + 1);
        pk.length = crypto_encrypt_PUBLICKEYBYTES;
        sk.length = crypto_encrypt_SECRETKEYBYTES;
        sum_run(&keypair);
        sum_input(&message, length);
        ciphertext.length = length + crypto_encrypt_BYTES;
        sum_run(&encrypt);
        opened.length = ciphertext.length;
        sum_run(&open);
        sum_equal(&opened, &message);
    }
}
