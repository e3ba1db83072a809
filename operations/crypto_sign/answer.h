/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Answers requests, and records the sizes of actual signatures:
 *
 *   keypair RANDOM              -> PUBLIC_KEY || SECRET_KEY
 *   sign SECRET_KEY MESSAGE RANDOM -> SIGNED_MESSAGE
 *   open PUBLIC_KEY SIGNED_MESSAGE -> MESSAGE, or rejected
 *   own_signed MESSAGE          -> PUBLIC_KEY || SIGNED_MESSAGE, with a new key and whatever random bytes
 *
 * The answer is `absent` if the random bytes do not come from randombytes(). */

static int answer_sign(void)
{
#ifdef HIDDEN_RNG
    answer_word("absent");
#else
    static uint8_t *sk;
    size_t length, random_length;
    unsigned long long smlen;
    if (!sk) sk = allocate(SK, 0);
    memcpy(sk, request_exactly(SK, "secret_key"), SK);
    const uint8_t *m = request_bytes(&length), *random = request_bytes(&random_length);
    uint8_t *sm = allocate(length + OVERHEAD, 1);
    random_script(random, random_length);
    if (!answer_failure(sign_with(sm, &smlen, m, length, sk))) {
        random_script_end();
        answer_bytes(sm, (size_t)smlen);
    }
#endif
    return 0;
}

static int answer_open(void)
{
    size_t length;
    unsigned long long mlen;
    const uint8_t *pk = request_exactly(PK, "public_key"), *sm = request_bytes(&length);
    uint8_t *m = allocate(length, 1);
    if (crypto_sign_open(m, &mlen, sm, length, pk))
        answer_word("rejected");
    else if (mlen > length)
        harness_fail(WRONG_OUTPUT, "opening returns %llu bytes instead of %zu", mlen, length);
    else
        answer_bytes(m, (size_t)mlen);
    return 0;
}

static int answer_own_signed(void)
{
    static struct keys keys;
    size_t length;
    unsigned long long smlen;
    const uint8_t *m = request_bytes(&length);
    uint8_t *both = allocate(PK + length + OVERHEAD, 0);
    draw_keys(&keys);
    if (sign_with(both + PK, &smlen, m, length, keys.sk)) harness_fail(VALID_REJECTED, "signing fails");
    memcpy(both, keys.pk, PK);
    answer_bytes(both, PK + (size_t)smlen);
    return 0;
}

int operation_answer(const char *verb)
{
    if (!strcmp(verb, "own_signed")) return answer_own_signed();
    if (!strcmp(verb, "keypair")) return answer_keypair();
    if (!strcmp(verb, "sign")) return answer_sign();
    if (!strcmp(verb, "open")) return answer_open();
    return -1;
}

static struct {
    struct keys keys;
    uint8_t m[709], *sm, *out;
    unsigned long long mlen, smlen;
} u;

static void open_used(void)
{
    open_keys(&u.keys);
    u.sm = allocate(sizeof u.m + OVERHEAD, 0);
    u.out = allocate(sizeof u.m + OVERHEAD, 0);
}

static void one_keypair(void)
{
    (void)crypto_sign_keypair(u.keys.pk, u.keys.sk);
}

static void one_signature(void)
{
    static struct keys keys;
    copy_keys(&keys, &u.keys); /* a stateful key starts from its first state again */
    (void)sign_with(u.sm, &u.smlen, u.m, u.mlen, keys.sk);
}

static void one_opening(void)
{
    unsigned long long length;
    (void)crypto_sign_open(u.out, &length, u.sm, u.smlen, u.keys.pk);
}

static void record_signature(unsigned long long length, const char *overhead, const char *sent)
{
    u.mlen = length;
    prng_fill(u.m, (size_t)length);
    one_signature();
    record_info(overhead, u.smlen - length);
    record_info(sent, PK + u.smlen);
}

void operation_info(void)
{
    record_info("public_key_bytes", PK);
    record_info("secret_key_bytes", SK);
    open_used();
    random_seed(1);
    one_keypair();
    record_random_usage("keypair_random_bytes", "keypair_random_calls");
    record_signature(23, "overhead_23_bytes",
                     "sent_23_bytes"); /* transmitted bytes: public key, message and signature */
    record_signature(147, "overhead_147_bytes", "sent_147_bytes");
    record_signature(709, "overhead_709_bytes", "sent_709_bytes");
    u.mlen = 59;
    random_seed(2);
    one_signature();
    record_random_usage("sign_random_bytes", "sign_random_calls");
    record_info("sign_stack_bytes", stack_bytes(one_signature));
    record_info("open_stack_bytes", stack_bytes(one_opening));
    record_info("keypair_stack_bytes", stack_bytes(one_keypair));
#ifdef crypto_sign_PRECOMPUTES
    record_info("expanded_public_key_bytes", crypto_sign_expanded_public_size);
    record_info("expanded_secret_key_bytes", crypto_sign_expanded_secret_size);
#endif
}
