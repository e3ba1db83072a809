/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The property tests of crypto_dh: both sides compute the same secret and other key pairs a
 * different one; nothing is written outside the buffers; equal random bytes give equal keys. */
#include "crypto_dh.h"
#include "checked_call.h"

/* Every call is checked for what it leaves behind. */
#define crypto_dh_keypair checked_call(crypto_dh_keypair)
#define crypto_dh checked_call(crypto_dh)

#define PK crypto_dh_PUBLICKEYBYTES
#define SK crypto_dh_SECRETKEYBYTES
#define KEYPAIR crypto_dh_keypair
#ifdef crypto_dh_OWN_RANDOM
#define HIDDEN_RNG
#endif
#ifdef crypto_dh_OWN_DRAWING
#define KEYGEN_VARIES
#endif
#include "check_keypair.h"
#include "check_kept.h"
#include "own_keypair.h"

#define SHARED crypto_dh_BYTES
#define MIN_CASES 4
#define MAX_CASES 600 /* so that code is found that is wrong if one byte of a key or a secret has a certain value */

static struct guard secrets;

static int share(uint8_t *shared, const uint8_t *pk_given, const uint8_t *sk_given, enum guard_edge edge)
{
    const uint8_t *pk = guarded_copy(&pks, pk_given, PK, GUARD_ANY, edge);
    const uint8_t *sk = guarded_copy(&sks, sk_given, SK, GUARD_ANY, edge);
    uint8_t *s = guard_place(&secrets, SHARED, GUARD_ANY, edge);
    memset(s, 0xa5, SHARED);
    if (!harness_lenient) random_script((const uint8_t *)"", 0); /* foreign ones may blind */
    const int result = crypto_dh(s, pk, sk);
    random_script_end();
    guard_check(&pks, "public key");
    guard_check(&sks, "secret key");
    guard_check(&secrets, "shared secret");
    if (memcmp(pk, pk_given, PK) || memcmp(sk, sk_given, SK)) harness_fail(INPUT_MODIFIED, "modifies a key");
    memcpy(shared, s, SHARED);
    return result;
}

static void agree(struct keys *one, struct keys *two)
{
    uint8_t s[SHARED], t[SHARED];
    if (share(s, two->pk, one->sk, GUARD_BACK) || share(t, one->pk, two->sk, GUARD_FRONT))
        harness_fail(VALID_REJECTED, "rejects a public key that it generated");
    if (memcmp(s, t, SHARED)) harness_fail(WRONG_OUTPUT, "the two sides compute different secrets");
    digest(one->pk, PK);
    digest(s, SHARED);
}

/* Tries a third key pair and a changed public key, which may be rejected but must not crash. */
static void disagree(struct keys *one, struct keys *two, struct keys *third)
{
    static uint8_t *changed;
    uint8_t s[SHARED], t[SHARED];
    if (!changed) changed = allocate(PK, 0);
    (void)share(s, two->pk, one->sk, GUARD_BACK);
    harness_case("third key pair");
    if (!share(t, two->pk, third->sk, GUARD_BACK) && !memcmp(s, t, SHARED))
        harness_fail(WRONG_OUTPUT, "computes the same shared secret as another key pair");
    if (!share(t, third->pk, one->sk, GUARD_BACK) && !memcmp(s, t, SHARED))
        harness_fail(WRONG_OUTPUT, "computes the same shared secret as another key pair");
    for (unsigned i = 0; i < 8; i++) {
        const size_t at = (size_t)(prng_word() % PK);
        harness_case("byte %zu of the public key changed", at);
        memcpy(changed, two->pk, PK);
        changed[at] ^= (uint8_t)(1 + prng_word() % 255);
        (void)share(t, changed, one->sk, GUARD_BACK);
    }
    for (unsigned i = 0; i < 2; i++) {
        harness_case("public key of %s", i ? "ff" : "00");
        memset(changed, i ? 0xff : 0, PK);
        (void)share(t, changed, one->sk, GUARD_BACK);
    }
}

static struct keys similar;
static uint8_t *similar_secret; /* SHARED bytes */

static void share_similar(void)
{
    if (share(similar_secret, similar.pk, similar.sk, GUARD_BACK)) memset(similar_secret, 0, SHARED);
}

static struct keys first;

static void fixed_keys(void)
{
    copy_keys(&similar, &first);
}

static void similar_keys(const struct keys *one, const struct keys *two, struct keys *third)
{
    memcpy(similar.pk, two->pk, PK);
    memcpy(similar.sk, one->sk, SK);
    expect_nothing_kept(
        &(const struct kept){"public key", similar.pk, PK, third->pk, share_similar, similar_secret, SHARED});
    expect_nothing_kept(
        &(const struct kept){"secret key", similar.sk, SK, third->sk, share_similar, similar_secret, SHARED});
}

void operation_check(void)
{
    static struct keys one, two, third;
    open_key_guards();
    guard_open(&secrets, SHARED, "shared secret");
    similar_secret = allocate(SHARED, 0);
    (void)generate_first_keys(&third);
    copy_keys(&first, &third);
    call_first(fixed_keys, share_similar, similar_secret, SHARED);
    cpu_budget_start(EXTRA_CASES_SECONDS);
    for (unsigned i = 0; i < MAX_CASES && (i < MIN_CASES || cpu_budget_left()); i++) {
        harness_case("key pairs %u", i);
        generate_keys(&one, prng_word());
        generate_keys(&two, prng_word());
        agree(&one, &two);
        if (i + 1 >= MIN_CASES && i < 2 * MIN_CASES && !harness_lenient) disagree(&one, &two, &third);
    }
    if (!harness_lenient) similar_keys(&one, &two, &third);
    repeat_first_call(repeat_cycle);
}

/* Answers own_shared PEER_PUBLIC_KEY with a new public key and the secret that both share. */
static int answer_own_shared(void)
{
    static struct keys keys;
    static uint8_t *both;
    const uint8_t *peer = request_exactly(PK, "public key");
    if (!both) both = allocate(PK + SHARED, 0);
    draw_keys(&keys);
    memcpy(both, keys.pk, PK);
    if (crypto_dh(both + PK, peer, keys.sk))
        answer_word("rejected");
    else
        answer_bytes(both, PK + SHARED);
    return 0;
}

int operation_answer(const char *verb)
{
    if (!strcmp(verb, "own_keypair")) return answer_own_keypair();
    if (!strcmp(verb, "own_shared")) return answer_own_shared();
    uint8_t s[SHARED];
    if (!strcmp(verb, "shared")) {
        const uint8_t *pk = request_exactly(PK, "public key"), *sk = request_exactly(SK, "secret key");
        if (crypto_dh(s, pk, sk))
            answer_word("rejected");
        else
            answer_bytes(s, SHARED);
        return 0;
    }
    return strcmp(verb, "keypair") ? -1 : answer_keypair();
}

static struct keys used;
static uint8_t *used_secret; /* SHARED bytes */

static void one_keypair(void)
{
    (void)crypto_dh_keypair(used.pk, used.sk);
}

static void one_secret(void)
{
    (void)crypto_dh(used_secret, used.pk, used.sk);
}

void operation_info(void)
{
    record_info("public_key_bytes", PK);
    record_info("secret_key_bytes", SK);
    record_info("shared_bytes", SHARED);
    open_keys(&used);
    used_secret = allocate(SHARED, 0);
    random_seed(1);
    one_keypair();
    record_random_usage("keypair_random_bytes", "keypair_random_calls");
    record_info("shared_stack_bytes", stack_bytes(one_secret));
    record_info("keypair_stack_bytes", stack_bytes(one_keypair));
}
