/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The checksum of crypto_aead; see checksum.h. */
#include "checksum.h"

#ifndef crypto_aead_NOOVERLAP
#define crypto_aead_NOOVERLAP 0
#endif

int foreign_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m, unsigned long long mlen,
                         const unsigned char *ad, unsigned long long adlen, const unsigned char *nsec,
                         const unsigned char *npub, const unsigned char *k);
int foreign_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec, const unsigned char *c,
                         unsigned long long clen, const unsigned char *ad, unsigned long long adlen,
                         const unsigned char *npub, const unsigned char *k);

static struct sum_array message, ad, secret, nonce, key, ciphertext, opened, received;

static int call(unsigned char *const *p)
{
    unsigned long long length = ciphertext.length;
    const int result = foreign_aead_encrypt(p[0], &length, p[1], message.length, p[2], ad.length, p[3], p[4], p[5]);
    if (!result && (length < message.length || length > message.length + crypto_aead_ABYTES))
        harness_fail(WRONG_OUTPUT, "returns %llu bytes instead of %zu", length, message.length);
    if (!result) ciphertext.length = (size_t)length;
    return result;
}

static size_t before; /* the length before crypto_aead_decrypt, which may leave it unset */

static int call_open(unsigned char *const *p)
{
    unsigned long long length = before;
    const int result = foreign_aead_decrypt(p[0], &length, p[1], p[2], ciphertext.length, p[3], ad.length, p[4], p[5]);
    if (!result && length > ciphertext.length)
        harness_fail(WRONG_OUTPUT, "opening returns %llu bytes instead of %zu", length, ciphertext.length);
    if (!result) opened.length = (size_t)length;
    return result;
}

static const struct sum_function
    encrypt = {"crypto_aead_encrypt", call, {&ciphertext}, {&message, &ad, &secret, &nonce, &key}, 0,
               crypto_aead_NOOVERLAP},
    decrypt = {"crypto_aead_decrypt", call_open, {&opened, &received}, {&ciphertext, &ad, &nonce, &key}, 0,
               crypto_aead_NOOVERLAP};

static void open_once(void)
{
    opened.length = ciphertext.length;
    received.length = crypto_aead_NSECBYTES;
}

static void one(size_t length, size_t ad_length)
{
    sum_input(&message, length);
    sum_input(&ad, ad_length);
    sum_input(&secret, crypto_aead_NSECBYTES);
    sum_input(&nonce, crypto_aead_NPUBBYTES);
    sum_input(&key, crypto_aead_KEYBYTES);
    ciphertext.length = length + crypto_aead_ABYTES;
    sum_run(&encrypt);
    open_once();
    before = ciphertext.length;
    sum_run(&decrypt);
    sum_equal(&opened, &message);
    before = message.length;
    sum_equal(&received, &secret);
    for (int i = 0; i < 3; i++) {
        harness_case("one byte of the ciphertext changed");
        sum_change(&ciphertext);
        open_once();
        if (sum_try(&decrypt)) continue;
        sum_equal(&opened, &message);
        sum_equal(&received, &secret);
    }
}

void sum_test(void)
{
    const size_t longest = sum_longest(128, 4096);
    sum_open(&message, "message", longest);
    sum_open(&ad, "associated data", longest);
    sum_open(&secret, "secret message number", crypto_aead_NSECBYTES);
    sum_open(&nonce, "public message number", crypto_aead_NPUBBYTES);
    sum_open(&key, "key", crypto_aead_KEYBYTES);
    sum_open(&ciphertext, "ciphertext", longest + crypto_aead_ABYTES);
    sum_open(&opened, "opened message", longest + crypto_aead_ABYTES);
    sum_open(&received, "opened secret message number", crypto_aead_NSECBYTES);
    for (size_t loop = 0; loop < sum_loops(64, 512); loop++) {
        const size_t length = sum_random() % (longest + 1);
        one(length, sum_random() % (longest + 1));
    }
}
