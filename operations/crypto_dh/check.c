/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The laws of crypto_dh: both sides share the same secret, others share another
 * one, nothing is written outside, equal random bytes give equal keys. */
#include <string.h>

#include "crypto_dh.h"
#include "harness.h"

#define PK crypto_dh_PUBLICKEYBYTES
#define SK crypto_dh_SECRETKEYBYTES
#define SHARED crypto_dh_BYTES
#define FEWEST 4
#define MOST 100
#define SECONDS 2.0

struct keys {
    uint8_t pk[PK], sk[SK];
};

static struct guard pks, sks, secrets;

static void digest(const uint8_t *data, size_t length)
{
#if defined(crypto_dh_OWN_RANDOM) || defined(crypto_dh_OWN_DRAWING)
    (void)data, (void)length; /* differs every time, or from library to library */
#else
    harness_digest(data, length);
#endif
}

static void draw(struct keys *keys, uint64_t seed)
{
    const enum guard_edge edge = seed % 2 ? GUARD_FRONT : GUARD_BACK;
    uint8_t *pk = guard_place(&pks, PK, GUARD_ANY, edge), *sk = guard_place(&sks, SK, GUARD_ANY, edge);
    memset(pk, 0xa5, PK); /* every byte must be written */
    memset(sk, 0xa5, SK);
    random_seed(seed);
    if (crypto_dh_keypair(pk, sk)) harness_fail("draws no key pair");
    guard_check(&pks, "public key");
    guard_check(&sks, "secret key");
    memcpy(keys->pk, pk, PK);
    memcpy(keys->sk, sk, SK);
}

static int share(uint8_t *shared, const uint8_t *pk_given, const uint8_t *sk_given, enum guard_edge edge)
{
    uint8_t *pk = guard_place(&pks, PK, GUARD_ANY, edge), *sk = guard_place(&sks, SK, GUARD_ANY, edge);
    uint8_t *s = guard_place(&secrets, SHARED, GUARD_ANY, edge);
    memcpy(pk, pk_given, PK);
    memcpy(sk, sk_given, SK);
    memset(s, 0xa5, SHARED);
    if (!harness_lenient) random_script((const uint8_t *)"", 0); /* a foreign one may blind */
    const int result = crypto_dh(s, pk, sk);
    random_script_end();
    guard_check(&pks, "public key");
    guard_check(&sks, "secret key");
    guard_check(&secrets, "shared secret");
    if (memcmp(pk, pk_given, PK) || memcmp(sk, sk_given, SK)) harness_fail("changes a key");
    memcpy(shared, s, SHARED);
    return result;
}

static void agree(struct keys *one, struct keys *two, int digested)
{
    uint8_t s[SHARED], t[SHARED];
    if (share(s, two->pk, one->sk, GUARD_BACK) || share(t, one->pk, two->sk, GUARD_FRONT))
        harness_fail("refuses a public key that it has made");
    if (memcmp(s, t, SHARED)) harness_fail("the two sides have two secrets");
    if (!digested) return;
    digest(one->pk, PK);
    digest(s, SHARED);
}

/* A third party, and a changed public key, which must be survived at the least. */
static void disagree(struct keys *one, struct keys *two, struct keys *third)
{
    uint8_t s[SHARED], t[SHARED], changed[PK];
    (void)share(s, two->pk, one->sk, GUARD_BACK);
    harness_case("a third key pair");
    if (!share(t, two->pk, third->sk, GUARD_BACK) && !memcmp(s, t, SHARED)) harness_fail("shares the secret of others");
    if (!share(t, third->pk, one->sk, GUARD_BACK) && !memcmp(s, t, SHARED)) harness_fail("shares the secret of others");
    for (unsigned i = 0; i < 8; i++) {
        const size_t at = (size_t)(bytes_word() % PK);
        harness_case("byte %zu of the public key changed", at);
        memcpy(changed, two->pk, PK);
        changed[at] ^= (uint8_t)(1 + bytes_word() % 255);
        (void)share(t, changed, one->sk, GUARD_BACK);
    }
    for (unsigned i = 0; i < 2; i++) {
        harness_case("a public key of %s", i ? "ff" : "00");
        memset(changed, i ? 0xff : 0, PK);
        (void)share(t, changed, one->sk, GUARD_BACK);
    }
}

static void same_random_bytes(void)
{
#ifndef crypto_dh_OWN_RANDOM
    static struct keys one, two;
    const uint64_t seed = bytes_word();
    harness_case("equal random bytes");
    draw(&one, seed);
    draw(&two, seed);
    if (memcmp(&one, &two, sizeof one)) harness_fail("give two key pairs");
#endif
}

void operation_check(void)
{
    static struct keys one, two, third;
    guard_open(&pks, PK, "public key");
    guard_open(&sks, SK, "secret key");
    guard_open(&secrets, SHARED, "shared secret");
    if (!harness_lenient) same_random_bytes();
    draw(&third, bytes_word());
    budget_start(SECONDS);
    for (unsigned i = 0; i < MOST && (i < FEWEST || budget_left()); i++) {
        harness_case("key pairs %u", i);
        draw(&one, bytes_word());
        draw(&two, bytes_word());
        agree(&one, &two, i < FEWEST);
        if (i < FEWEST && !harness_lenient) disagree(&one, &two, &third);
    }
}

int operation_answer(const char *verb)
{
    uint8_t s[SHARED];
    if (!strcmp(verb, "shared")) {
        const uint8_t *pk = request_exactly(PK, "public key"), *sk = request_exactly(SK, "secret key");
        if (crypto_dh(s, pk, sk)) answer_word("rejected");
        else answer_bytes(s, SHARED);
        return 0;
    }
    if (strcmp(verb, "keypair")) return -1;
#ifdef crypto_dh_OWN_RANDOM
    answer_word("absent");
#else
    static struct keys keys;
    size_t length;
    const uint8_t *random = request_bytes(&length);
    random_script(random, length);
    if (crypto_dh_keypair(keys.pk, keys.sk)) harness_fail("draws no key pair");
    random_script_end();
    answer_bytes((const uint8_t *)&keys, sizeof keys);
#endif
    return 0;
}

static struct keys used;

static void one_keypair(void)
{
    (void)crypto_dh_keypair(used.pk, used.sk);
}

static void one_secret(void)
{
    static uint8_t s[SHARED];
    (void)crypto_dh(s, used.pk, used.sk);
}

void operation_info(void)
{
    record_info("public_key_bytes", PK);
    record_info("secret_key_bytes", SK);
    record_info("shared_bytes", SHARED);
    random_seed(1);
    one_keypair();
#ifndef crypto_dh_OWN_RANDOM
    record_info("keypair_random_bytes", random_drawn().bytes);
    record_info("keypair_random_calls", random_drawn().calls);
#endif
    record_info("shared_stack_bytes", stack_bytes(one_secret));
    record_info("keypair_stack_bytes", stack_bytes(one_keypair));
}
