/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The property tests of crypto_kem: decapsulation returns the session key; a forged ciphertext or
 * a different secret key gives another one or fails; nothing is written outside the buffers; equal
 * random bytes give equal results. */
#include "crypto_kem.h"
#include "checked_call.h"

/* Every call is checked for what it leaves behind. */
#define crypto_kem_keypair checked_call(crypto_kem_keypair)
#define crypto_kem_enc checked_call(crypto_kem_enc)
#define crypto_kem_dec checked_call(crypto_kem_dec)

#define PK crypto_kem_PUBLICKEYBYTES
#define SK crypto_kem_SECRETKEYBYTES
#define KEYPAIR crypto_kem_keypair
#ifdef crypto_kem_OWN_RANDOM
#define HIDDEN_RNG
#endif
#include "bit_order.h"
#include "check.h"
#include "check_kept.h"
#include "check_keypair.h"
#include "check_draws.h"
#include "own_keypair.h"

#define CIPHERTEXT crypto_kem_CIPHERTEXTBYTES
#define SESSION crypto_kem_BYTES
#define SENT (CIPHERTEXT + SESSION)
#define MIN_CASES 4
#define FULL_CASES 64
#define MAX_CASES 1600 /* so that code is found that is wrong if one byte of a key has a certain value */
#define IMPLICIT_REJECTIONS 4 /* for each of the first key pairs */
#define EVERY_BIT_SECONDS 0.3 /* CPU time for the bits of one ciphertext, */
#define LONGEST_SECONDS 0.4   /* or this much if it is enough for all of them, or for one of every byte */

static struct guard ciphertexts, sessions;
static int was_rejected; /* the last ciphertext, with an error */
static uint8_t *ciphertext, *session; /* SENT bytes in all: the session key is behind its ciphertext */

static void open_sent(void)
{
    if (ciphertext) return;
    ciphertext = allocate(SENT, 0);
    session = ciphertext + CIPHERTEXT;
}

static void encapsulate(const struct keys *keys, uint64_t seed, enum guard_edge edge)
{
    const uint8_t *pk = guarded_copy(&pks, keys->pk, PK, GUARD_ANY, edge);
    uint8_t *c = guard_place(&ciphertexts, CIPHERTEXT, GUARD_ANY, edge);
    uint8_t *k = guard_place(&sessions, SESSION, GUARD_ANY, edge);
    memset(c, 0xa5, CIPHERTEXT);
    memset(k, edge == GUARD_FRONT ? 0x5a : 0xa5, SESSION); /* so that a byte that is not written shows */
    random_seed(seed);
    if (crypto_kem_enc(c, k, pk)) harness_fail(VALID_REJECTED, "encapsulation fails");
    guard_check(&pks, "public key");
    guard_check(&ciphertexts, "ciphertext");
    guard_check(&sessions, "session key");
    if (memcmp(pk, keys->pk, PK)) harness_fail(INPUT_MODIFIED, "modifies the public key");
    memcpy(ciphertext, c, CIPHERTEXT);
    memcpy(session, k, SESSION);
}

/* Whether decapsulation returns `session`. */
static int gives(const uint8_t *sk_given, enum guard_edge edge)
{
    const uint8_t *sk = guarded_copy(&sks, sk_given, SK, GUARD_ANY, edge);
    const uint8_t *c = guarded_copy(&ciphertexts, ciphertext, CIPHERTEXT, GUARD_ANY, edge);
    uint8_t *k = guard_place(&sessions, SESSION, GUARD_ANY, edge);
    memset(k, 0xa5, SESSION);
    const int result = crypto_kem_dec(k, c, sk);
    guard_check(&sks, "secret key");
    guard_check(&ciphertexts, "ciphertext");
    guard_check(&sessions, "session key");
    if (memcmp(sk, sk_given, SK)) harness_fail(INPUT_MODIFIED, "modifies the secret key");
    if (memcmp(c, ciphertext, CIPHERTEXT)) harness_fail(INPUT_MODIFIED, "modifies the ciphertext");
    was_rejected = result != 0;
    return !result && !memcmp(k, session, SESSION);
}

static void same_random_bytes(const struct keys *keys, uint64_t seed)
{
#ifdef HIDDEN_RNG
    (void)keys, (void)seed;
#else
    uint8_t *first = allocate(SENT, 0);
    harness_case("equal random bytes");
    encapsulate(keys, seed, GUARD_BACK);
    memcpy(first, ciphertext, SENT);
    encapsulate(keys, seed, GUARD_FRONT);
    if (memcmp(first, ciphertext, CIPHERTEXT)) harness_fail(HIDDEN_RNG, "produce different ciphertexts");
    if (memcmp(first + CIPHERTEXT, session, SESSION)) harness_fail(WRONG_OUTPUT, "give different session keys");
#endif
}

static void change_bit(const struct keys *keys, size_t byte, uint8_t bit)
{
    harness_case("byte %zu of the ciphertext changed", byte);
    ciphertext[byte] ^= bit;
    if (gives(keys->sk, GUARD_BACK)) harness_fail(WRONG_OUTPUT, "decapsulates to the original session key");
    ciphertext[byte] ^= bit;
}

/* Changes every bit of a ciphertext while time is left, and those of its first and last byte before. */
static void forgeries(const struct keys *keys)
{
    encapsulate(keys, prng_word(), GUARD_BACK);
    for (unsigned i = 0; i < 8; i++) change_bit(keys, 0, (uint8_t)(1u << i));
    for (unsigned i = 0; i < 8; i++) change_bit(keys, CIPHERTEXT - 1, (uint8_t)(1u << i));
    struct bit_order order = random_bit_order(CIPHERTEXT);
    for (size_t i = 0; time_for_bit(&order, i, LONGEST_SECONDS); i++)
        change_bit(keys, byte_of(&order, i), bit_of(&order, i));
}

/* Ciphertexts with two changes that may cancel. */
static void cancelling_changes(const struct keys *keys)
{
    for (unsigned i = 0; i < CANCELLING_CHANGES && (i < 3 || cpu_budget_left()); i++) {
        harness_case("two bytes of the ciphertext changed, case %u", i);
        const struct changed_pair pair = change_together(ciphertext, CIPHERTEXT, i);
        if (gives(keys->sk, GUARD_BACK)) harness_fail(WRONG_OUTPUT, "decapsulates to the original session key");
        change_back(&pair);
    }
}

/* Where a forgery gives a session key, all implementations give the same one; another forgery gives another one, and
 * nobody without the secret key can tell which. */
static void implicit_rejections(const struct keys *keys, const struct keys *other)
{
    uint8_t before[SESSION];
    const struct bit_order order = random_bit_order(CIPHERTEXT);
    memset(before, 0, SESSION);
    for (size_t i = 0; i < IMPLICIT_REJECTIONS; i++) {
        harness_case("byte %zu of the ciphertext changed", byte_of(&order, i));
        flip(&order, i, ciphertext);
        (void)gives(keys->sk, i < IMPLICIT_REJECTIONS / 2 ? GUARD_BACK : GUARD_FRONT); /* the former at one address */
        flip(&order, i, ciphertext);
        if (was_rejected) continue;
        digest(sessions.data, SESSION);
        if (!memcmp(sessions.data, before, SESSION))
            harness_fail(WRONG_OUTPUT, "decapsulates two forgeries to the same session key");
        memcpy(before, sessions.data, SESSION);
        flip(&order, i, ciphertext);
        (void)gives(other->sk, GUARD_BACK);
        flip(&order, i, ciphertext);
        if (!was_rejected && !memcmp(sessions.data, before, SESSION))
            harness_fail(WRONG_OUTPUT, "a different secret key decapsulates it to the same session key");
    }
}

/* Each ciphertext has its own session key, whatever was encapsulated last. */
static void two_ciphertexts(const struct keys *keys)
{
    uint8_t *first = allocate(SENT, 0);
    harness_case("a ciphertext that is decapsulated after another");
    encapsulate(keys, prng_word(), GUARD_BACK);
    memcpy(first, ciphertext, SENT);
    encapsulate(keys, prng_word(), GUARD_BACK);
    if (!memcmp(first + CIPHERTEXT, session, SESSION)) harness_fail(WRONG_OUTPUT, "returns the same session key twice");
    memcpy(ciphertext, first, CIPHERTEXT);
    if (gives(keys->sk, GUARD_BACK)) harness_fail(WRONG_OUTPUT, "decapsulates it to the other one's session key");
    memcpy(session, first + CIPHERTEXT, SESSION);
    if (!gives(keys->sk, GUARD_BACK)) harness_fail(VALID_REJECTED, "decapsulation fails");
    harness_case("a ciphertext with every byte changed");
    for (size_t i = 0; i < CIPHERTEXT; i++) ciphertext[i] ^= (uint8_t)(1 + prng_word() % 255);
    if (gives(keys->sk, GUARD_BACK)) harness_fail(WRONG_OUTPUT, "decapsulates to the original session key");
}

/* Some session keys for each key pair. */
static void more_keys(unsigned first)
{
    static struct keys keys;
    cpu_budget_start(EXTRA_CASES_SECONDS / 4);
    for (unsigned i = first; i < MAX_CASES && cpu_budget_left(); i++) {
        harness_case("key pair %u", i);
        if (i % 4 == 0 || i == first) generate_keys(&keys, prng_word());
        encapsulate(&keys, prng_word(), i % 2 ? GUARD_FRONT : GUARD_BACK);
        digest(ciphertext, CIPHERTEXT), digest(session, SESSION);
        if (!gives(keys.sk, i % 2 ? GUARD_BACK : GUARD_FRONT)) harness_fail(VALID_REJECTED, "decapsulation fails");
    }
}

/* All functions in turn, and a forgery. */
static void cycle(void)
{
    static struct keys keys;
    static uint8_t *c, *k;
    if (!c) c = allocate(SENT, 0), k = c + CIPHERTEXT;
    draw_keys(&keys);
    if (crypto_kem_enc(c, k, keys.pk)) harness_fail(VALID_REJECTED, "encapsulation fails");
    if (crypto_kem_dec(k, c, keys.sk)) harness_fail(VALID_REJECTED, "decapsulation fails");
    c[0] ^= 1;
    (void)crypto_kem_dec(k, c, keys.sk);
}

#ifdef HIDDEN_RNG
static void draw_session(const struct keys *keys)
{
    if (crypto_kem_enc(ciphertext, session, keys->pk)) harness_fail(VALID_REJECTED, "encapsulation fails");
}
#endif

/* With random bytes of its own, it must not draw the same key or the same session key twice. */
static void weak_randomness(void)
{
#ifdef HIDDEN_RNG
    static struct keys keys;
    EXPECT_DRAWS_TO_DIFFER(draw_keys(&keys), keys.pk, PK, "public key");
    EXPECT_DRAWS_TO_DIFFER(draw_session(&keys), ciphertext, CIPHERTEXT, "ciphertext");
#endif
}

static struct keys similar;
static uint8_t *encapsulated; /* SENT bytes */

static void encapsulate_similar(void)
{
    random_seed(1);
    if (crypto_kem_enc(encapsulated, encapsulated + CIPHERTEXT, similar.pk)) memset(encapsulated, 0, SENT);
}

static void decapsulate_similar(void)
{
    if (crypto_kem_dec(session, ciphertext, similar.sk)) memset(session, 0, SESSION);
}

static void similar_inputs(const struct keys *keys, struct keys *other)
{
    copy_keys(&similar, keys);
    encapsulated = allocate(SENT, 0);
#ifndef HIDDEN_RNG
    expect_nothing_kept(
        &(const struct kept){"public key", similar.pk, PK, other->pk, encapsulate_similar, encapsulated, SENT});
#endif
    encapsulate_similar();
    memcpy(ciphertext, encapsulated, CIPHERTEXT);
    EXPECT_NOTHING_KEPT("ciphertext", ciphertext, CIPHERTEXT, decapsulate_similar, session, SESSION);
}

void operation_check(void)
{
    static struct keys keys, other;
    uint8_t before[SESSION];
    unsigned i = 0;
    memset(before, 0, SESSION);
    open_sent();
    open_key_guards();
    guard_open(&ciphertexts, CIPHERTEXT, "ciphertext");
    guard_open(&sessions, SESSION, "session key");
    const uint64_t seed = generate_first_keys(&other);
    if (!harness_lenient) same_random_bytes(&other, seed);
    for (; i < FULL_CASES && (i < MIN_CASES || cpu_budget_left()); i++) {
        harness_case("key pair %u", i);
        if (i % 4 == 0) generate_keys(&keys, prng_word());
        encapsulate(&keys, prng_word(), i % 2 ? GUARD_FRONT : GUARD_BACK);
        digest(ciphertext, CIPHERTEXT), digest(session, SESSION);
        if (!memcmp(before, session, SESSION)) harness_fail(WRONG_OUTPUT, "returns the same session key twice");
        memcpy(before, session, SESSION);
        if (!gives(keys.sk, GUARD_BACK) || !gives(keys.sk, GUARD_FRONT))
            harness_fail(VALID_REJECTED, "decapsulation fails");
        if (gives(other.sk, GUARD_BACK))
            harness_fail(WRONG_OUTPUT, "a different secret key decapsulates to the same session key");
        if (i < MIN_CASES && !harness_lenient) implicit_rejections(&keys, &other);
        if (i == MIN_CASES - 1) {
            two_ciphertexts(&keys);
            cpu_budget_start(EVERY_BIT_SECONDS);
            const uint64_t later = prng_word(); /* drawn before the first case that depends on time */
            if (!harness_lenient) forgeries(&keys);
            cpu_budget_start(4 * FEW_SECONDS);
            if (!harness_lenient) cancelling_changes(&keys);
            prng_seed(later);
            cpu_budget_start(EXTRA_CASES_SECONDS / 2);
        }
    }
    if (cpu_budget_left()) more_keys(i);
    if (harness_lenient) return;
    if (cpu_budget_left()) repeat_cycle(cycle);
    similar_inputs(&keys, &other);
    weak_randomness();
}

static int answer_encapsulate(void)
{
#ifdef HIDDEN_RNG
    answer_word("absent");
#else
    size_t length;
    const uint8_t *pk = request_exactly(PK, "public_key"), *random = request_bytes(&length);
    random_script(random, length);
    if (crypto_kem_enc(ciphertext, session, pk)) {
        answer_word("rejected");
    } else {
        random_script_end();
        answer_bytes(ciphertext, SENT);
    }
#endif
    return 0;
}

/* Encapsulates for a key pair generated here, for public keys too long for a request. */
static int answer_exchange(void)
{
#ifdef crypto_kem_OWN_RANDOM
    answer_word("absent");
#else
    static struct keys keys;
    size_t length;
    const uint8_t *random = request_bytes(&length);
    random_script(random, length);
    draw_keys(&keys);
    random_script_end();
    random = request_bytes(&length);
    random_script(random, length);
    if (crypto_kem_enc(ciphertext, session, keys.pk)) harness_fail(VALID_REJECTED, "encapsulation fails");
    random_script_end();
    answer_bytes(ciphertext, SENT);
#endif
    return 0;
}

/* Encapsulates with whatever random bytes. */
static int answer_own_encapsulated(void)
{
    if (crypto_kem_enc(ciphertext, session, request_exactly(PK, "public_key")))
        answer_word("rejected");
    else
        answer_bytes(ciphertext, SENT);
    return 0;
}

int operation_answer(const char *verb)
{
    open_sent();
    if (!strcmp(verb, "own_keypair")) return answer_own_keypair();
    if (!strcmp(verb, "own_encapsulated")) return answer_own_encapsulated();
    if (!strcmp(verb, "exchange")) return answer_exchange();
    if (!strcmp(verb, "keypair")) return answer_keypair();
    if (!strcmp(verb, "encapsulate")) return answer_encapsulate();
    if (strcmp(verb, "decapsulate")) return -1;
    const uint8_t *sk = request_exactly(SK, "secret_key"), *c = request_exactly(CIPHERTEXT, "ciphertext");
    if (crypto_kem_dec(session, c, sk))
        answer_word("rejected");
    else
        answer_bytes(session, SESSION);
    return 0;
}

static struct keys used;

static void one_keypair(void)
{
    (void)crypto_kem_keypair(used.pk, used.sk);
}

static void one_encapsulation(void)
{
    (void)crypto_kem_enc(ciphertext, session, used.pk);
}

static void one_decapsulation(void)
{
    (void)crypto_kem_dec(session, ciphertext, used.sk);
}

void operation_info(void)
{
    record_info("public_key_bytes", PK);
    record_info("secret_key_bytes", SK);
    record_info("ciphertext_bytes", CIPHERTEXT);
    record_info("shared_bytes", SESSION);
    open_keys(&used);
    open_sent();
    random_seed(1);
    one_keypair();
    record_random_usage("keypair_random_bytes", "keypair_random_calls");
    random_seed(2);
    one_encapsulation();
    record_random_usage("encapsulate_random_bytes", "encapsulate_random_calls");
    record_info("encapsulate_stack_bytes", stack_bytes(one_encapsulation));
    record_info("decapsulate_stack_bytes", stack_bytes(one_decapsulation));
    record_info("keypair_stack_bytes", stack_bytes(one_keypair));
}
