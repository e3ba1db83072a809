/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Answers requests, and records the sizes of actual ciphertexts:
 *
 *   keypair RANDOM                     -> PUBLIC_KEY || SECRET_KEY
 *   encrypt PUBLIC_KEY MESSAGE RANDOM  -> CIPHERTEXT
 *   open SECRET_KEY CIPHERTEXT         -> MESSAGE, or rejected
 *   own_keypair                        -> PUBLIC_KEY || SECRET_KEY
 *   own_encrypted PUBLIC_KEY MESSAGE   -> CIPHERTEXT
 *   complete PART                      -> SECRET_KEY
 *   open_completed PART CIPHERTEXT     -> MESSAGE, or rejected
 *
 * The answer is `absent` if the random bytes do not come from randombytes(); an own_ request takes whatever they are. */
#include "own_keypair.h"

static int answer_own_encrypted(void)
{
    size_t length;
    unsigned long long clen;
    const uint8_t *pk = request_exactly(PK, "public_key"), *m = request_bytes(&length);
    uint8_t *c = allocate(length + OVERHEAD, 1);
    if (!answer_failure(crypto_encrypt(c, &clen, m, length, pk))) answer_bytes(c, (size_t)clen);
    return 0;
}

static int answer_encrypt(void)
{
#ifdef HIDDEN_RNG
    answer_word("absent");
#else
    size_t length, random_length;
    unsigned long long clen;
    const uint8_t *pk = request_exactly(PK, "public_key"), *m = request_bytes(&length);
    const uint8_t *random = request_bytes(&random_length);
    uint8_t *c = allocate(length + OVERHEAD, 1);
    random_script(random, random_length);
    if (!answer_failure(crypto_encrypt(c, &clen, m, length, pk))) {
        random_script_end();
        answer_bytes(c, (size_t)clen);
    }
#endif
    return 0;
}

static int answer_open(const uint8_t *sk)
{
    size_t length;
    unsigned long long mlen;
    const uint8_t *c = request_bytes(&length);
    uint8_t *m = allocate(length, 1);
    if (crypto_encrypt_open(m, &mlen, c, length, sk))
        answer_word("rejected");
    else if (mlen > length)
        harness_fail(WRONG_OUTPUT, "opening returns %llu bytes instead of %zu", mlen, length);
    else
        answer_bytes(m, (size_t)mlen);
    return 0;
}

static const uint8_t *completed(void)
{
    static uint8_t *sk;
    size_t length;
    const uint8_t *part = request_bytes(&length);
    if (!sk) sk = allocate(SK, 0);
#ifdef crypto_encrypt_COMPLETES
    if (crypto_encrypt_complete(sk, part, length)) harness_fail(WRONG_OUTPUT, "the secret key cannot be completed");
#else
    (void)part;
    harness_fail(FUNCTION_MISSING,
                 "crypto_encrypt_COMPLETES is not defined, but the vector has only part of a secret key");
#endif
    return sk;
}

int operation_answer(const char *verb)
{
    if (!strcmp(verb, "own_keypair")) return answer_own_keypair();
    if (!strcmp(verb, "own_encrypted")) return answer_own_encrypted();
    if (!strcmp(verb, "keypair")) return answer_keypair();
    if (!strcmp(verb, "encrypt")) return answer_encrypt();
    if (!strcmp(verb, "open")) return answer_open(request_exactly(SK, "secret_key"));
    if (!strcmp(verb, "open_completed")) return answer_open(completed());
    if (strcmp(verb, "complete")) return -1;
    answer_bytes(completed(), SK);
    return 0;
}

static struct {
    struct keys keys;
    uint8_t m[709], *c, *out;
    unsigned long long mlen, clen;
} u;

static void open_used(void)
{
    open_keys(&u.keys);
    u.c = allocate(sizeof u.m + OVERHEAD, 0);
    u.out = allocate(sizeof u.m + OVERHEAD, 0);
}

static void one_keypair(void)
{
    (void)crypto_encrypt_keypair(u.keys.pk, u.keys.sk);
}

static void one_encryption(void)
{
    (void)crypto_encrypt(u.c, &u.clen, u.m, u.mlen, u.keys.pk);
}

static void one_opening(void)
{
    unsigned long long length;
    (void)crypto_encrypt_open(u.out, &length, u.c, u.clen, u.keys.sk);
}

static void record_overhead(unsigned long long length, const char *overhead)
{
    u.mlen = length;
    prng_fill(u.m, (size_t)length);
    one_encryption();
    record_info(overhead, u.clen - length);
}

void operation_info(void)
{
    record_info("public_key_bytes", PK);
    record_info("secret_key_bytes", SK);
    open_used();
    random_seed(1);
    one_keypair();
    record_random_usage("keypair_random_bytes", "keypair_random_calls");
    record_overhead(23, "overhead_23_bytes");
    record_overhead(147, "overhead_147_bytes");
    record_overhead(709, "overhead_709_bytes");
    u.mlen = 59;
    random_seed(2);
    one_encryption();
    record_random_usage("encrypt_random_bytes", "encrypt_random_calls");
    record_info("encrypt_stack_bytes", stack_bytes(one_encryption));
    record_info("open_stack_bytes", stack_bytes(one_opening));
    record_info("keypair_stack_bytes", stack_bytes(one_keypair));
}
