/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The property tests of crypto_box: the receiver opens what the sender has boxed, in one step, in
 * two steps, and in place; nothing else opens; the leading zero bytes are as documented; nothing
 * is written outside the buffers. */
#include "crypto_box.h"
#include "checked_call.h"

/* Every call is checked for what it leaves behind. */
#define crypto_box_keypair checked_call(crypto_box_keypair)
#define crypto_box checked_call(crypto_box)
#define crypto_box_open checked_call(crypto_box_open)
#define crypto_box_beforenm checked_call(crypto_box_beforenm)
#define crypto_box_afternm checked_call(crypto_box_afternm)
#define crypto_box_open_afternm checked_call(crypto_box_open_afternm)

#define PK crypto_box_PUBLICKEYBYTES
#define SK crypto_box_SECRETKEYBYTES
#define KEYPAIR crypto_box_keypair
#ifdef crypto_box_OWN_RANDOM
#define HIDDEN_RNG
#endif
#include "check.h"
#include "check_kept.h"
#include "check_keypair.h"

#define NONCE crypto_box_NONCEBYTES
#define ZERO crypto_box_ZEROBYTES
#define BOXZERO crypto_box_BOXZEROBYTES
#define BEFORE crypto_box_BEFORENMBYTES
#define MAX_LENGTH ((size_t)96397)
#define UNTOUCHED 0x5a

static struct guard nonces, messages, boxes, befores;
static uint8_t *message, *boxed, *nonce; /* ZERO + MAX_LENGTH bytes twice, and NONCE */
static uint8_t *shared;                  /* BEFORE bytes: what the sender and the receiver share */

static void open_all(void)
{
    open_key_guards();
    guard_open(&nonces, NONCE, "nonce");
    guard_open(&messages, ZERO + MAX_LENGTH, "message");
    guard_open(&boxes, ZERO + MAX_LENGTH, "ciphertext");
    guard_open(&befores, BEFORE, "beforenm");
    message = allocate(ZERO + MAX_LENGTH, 0);
    boxed = allocate(ZERO + MAX_LENGTH, 0);
    nonce = allocate(NONCE, 0);
    shared = allocate(BEFORE, 0);
}

static void place_inputs(const uint8_t *pk, const uint8_t *sk, enum guard_edge edge)
{
    (void)guarded_copy(&pks, pk, PK, GUARD_ANY, edge);
    (void)guarded_copy(&sks, sk, SK, GUARD_ANY, edge);
    (void)guarded_copy(&nonces, nonce, NONCE, GUARD_ANY, edge);
}

static void check_inputs(const uint8_t *pk, const uint8_t *sk)
{
    guard_check(&pks, "public key");
    guard_check(&sks, "secret key");
    guard_check(&nonces, "nonce");
    guard_check(&messages, "message");
    guard_check(&boxes, "ciphertext");
    if (memcmp(pks.data, pk, PK) || memcmp(sks.data, sk, SK)) harness_fail(INPUT_MODIFIED, "modifies a key");
    if (memcmp(nonces.data, nonce, NONCE)) harness_fail(INPUT_MODIFIED, "modifies the nonce");
}

static int prepare(uint8_t *k, const uint8_t *pk, const uint8_t *sk)
{
    uint8_t *before = guard_place(&befores, BEFORE, GUARD_ANY, GUARD_BACK);
    memset(before, 0xa5, BEFORE);
    const int result = crypto_box_beforenm(before, pk, sk);
    guard_check(&befores, "beforenm");
    memcpy(k, before, BEFORE);
    return result;
}

/* Boxes a message of `length` bytes (without zero bytes) into `boxed`, in one step or in two. */
static void box(const uint8_t *pk, const uint8_t *sk, size_t length, int two_steps, enum guard_edge edge)
{
    uint8_t k[BEFORE], *c = guard_place(&boxes, ZERO + length, GUARD_ANY, edge);
    const uint8_t *m = guarded_copy(&messages, message, ZERO + length, GUARD_ANY, edge);
    int result;
    place_inputs(pk, sk, edge);
    if (two_steps)
        result = prepare(k, pks.input, sks.input) || crypto_box_afternm(c, m, ZERO + length, nonces.input, k);
    else
        result = crypto_box(c, m, ZERO + length, nonces.input, pks.input, sks.input);
    check_inputs(pk, sk);
    if (result) harness_fail(VALID_REJECTED, "boxing fails");
    if (memcmp(m, message, ZERO + length)) harness_fail(INPUT_MODIFIED, "modifies the message");
    memcpy(boxed, c, ZERO + length);
}

/* Opens the first `clen` bytes of `boxed`; returns whether that succeeds, and then messages.data
 * holds the message. */
static int opened(const uint8_t *pk, const uint8_t *sk, size_t clen, int two_steps, enum guard_edge edge)
{
    uint8_t k[BEFORE], *m = guard_place(&messages, clen, GUARD_ANY, edge);
    memset(m, UNTOUCHED, clen);
    const uint8_t *c = guarded_copy(&boxes, boxed, clen, GUARD_ANY, edge);
    int result;
    place_inputs(pk, sk, edge);
    if (two_steps)
        result = prepare(k, pks.input, sks.input) || crypto_box_open_afternm(m, c, clen, nonces.input, k);
    else
        result = crypto_box_open(m, c, clen, nonces.input, pks.input, sks.input);
    check_inputs(pk, sk);
    if (memcmp(c, boxed, clen)) harness_fail(INPUT_MODIFIED, "modifies the ciphertext");
    return !result;
}

static const struct keys *sender, *receiver;

/* Boxes and opens in two steps with the key that both share. */
static void compare(size_t length)
{
    if (length > MAX_LENGTH) return;
    const enum guard_edge edge = alternate_edge(length);
    memset(message, 0, ZERO);
    prng_fill(message + ZERO, length);
    prng_fill(nonce, NONCE);
    uint8_t *m = guarded_copy_to_change(&messages, message, ZERO + length, GUARD_ANY, edge);
    uint8_t *c = guard_place(&boxes, ZERO + length, GUARD_ANY, edge);
    place_inputs(receiver->pk, sender->sk, edge);
    if (crypto_box_afternm(c, m, ZERO + length, nonces.input, shared)) harness_fail(VALID_REJECTED, "boxing fails");
    check_inputs(receiver->pk, sender->sk);
    digest(c, ZERO + length);
    if (!cpu_budget_left() && length % 21) return;
    memset(m, 0x5a, ZERO + length);
    if (crypto_box_open_afternm(m, c, ZERO + length, nonces.input, shared))
        harness_fail(VALID_REJECTED, "rejects its own box");
    check_inputs(receiver->pk, sender->sk);
    if (memcmp(m, message, ZERO + length)) harness_fail(WRONG_OUTPUT, "opens to a different message");
}

static void in_place(const struct keys *one, const struct keys *two, size_t length)
{
    uint8_t *both = guard_place(&messages, ZERO + length, GUARD_ANY, GUARD_BACK);
    memcpy(both, message, ZERO + length);
    if (crypto_box(both, both, ZERO + length, nonce, two->pk, one->sk))
        harness_fail(VALID_REJECTED, "boxing fails in place");
    if (memcmp(both, boxed, ZERO + length)) harness_fail(WRONG_OUTPUT, "boxing differs in place");
    if (crypto_box_open(both, both, ZERO + length, nonce, one->pk, two->sk))
        harness_fail(VALID_REJECTED, "opening fails in place");
    if (memcmp(both, message, ZERO + length)) harness_fail(WRONG_OUTPUT, "opening differs in place");
    guard_check(&messages, "message");
}

static void round_trip(const struct keys *one, const struct keys *two, size_t length, int digested)
{
    static uint8_t *first;
    if (!first) first = allocate(ZERO + MAX_LENGTH, 0);
    harness_case("message of %zu bytes", length);
    memset(message, 0, ZERO);
    prng_fill(message + ZERO, length);
    prng_fill(nonce, NONCE);
    box(two->pk, one->sk, length, 1, GUARD_FRONT);
    memcpy(first, boxed, ZERO + length);
    box(two->pk, one->sk, length, 0, GUARD_BACK);
    if (memcmp(first, boxed, ZERO + length))
        harness_fail(NOT_DETERMINISTIC, "encrypting in one step and in two steps gives different ciphertexts");
    for (size_t i = 0; i < BOXZERO; i++)
        if (boxed[i]) harness_fail(WRONG_OUTPUT, "byte %zu in front of the ciphertext is not zero", i);
    if (digested) digest(boxed, ZERO + length);
    for (int two_steps = 0; two_steps < 2; two_steps++) {
        if (!opened(one->pk, two->sk, ZERO + length, two_steps, two_steps ? GUARD_FRONT : GUARD_BACK))
            harness_fail(VALID_REJECTED, "rejects its own box");
        if (memcmp(messages.data, message, ZERO + length)) harness_fail(WRONG_OUTPUT, "opens to a different message");
    }
    in_place(one, two, length);
}

static void must_reject(const struct keys *one, const struct keys *two, size_t clen)
{
    if (opened(one->pk, two->sk, clen, 0, GUARD_BACK)) harness_fail(FORGERY_ACCEPTED, "accepts a forgery");
    expect_not_released(messages.data, clen, UNTOUCHED);
    if (opened(one->pk, two->sk, clen, 1, GUARD_BACK)) harness_fail(FORGERY_ACCEPTED, "accepts a forgery in two steps");
    expect_not_released(messages.data, clen, UNTOUCHED);
}

static void forgeries(const struct keys *one, const struct keys *two, size_t length)
{
    round_trip(one, two, length, 0);
    for (size_t i = 8 * BOXZERO; i < 8 * (ZERO + length); i++) {
        harness_case("message of %zu bytes, byte %zu of the ciphertext changed", length, i / 8);
        boxed[i / 8] ^= (uint8_t)(1u << i % 8);
        must_reject(one, two, ZERO + length);
        boxed[i / 8] ^= (uint8_t)(1u << i % 8);
    }
    for (size_t i = 0; i < ZERO + length; i++) {
        harness_case("message of %zu bytes, ciphertext cut to %zu", length, i);
        must_reject(one, two, i);
    }
    for (size_t more = 1; more <= 16; more += 15) {
        harness_case("message of %zu bytes, ciphertext followed by %zu extra bytes", length, more);
        memset(boxed + ZERO + length, 0, more);
        must_reject(one, two, ZERO + length + more);
    }
    for (unsigned i = 0; i < CANCELLING_CHANGES; i++) {
        harness_case("two bytes of the authenticator changed, case %u", i);
        const struct changed_pair pair = change_together(boxed + BOXZERO, ZERO - BOXZERO, i);
        must_reject(one, two, ZERO + length);
        change_back(&pair);
    }
    harness_case("different nonce");
    nonce[prng_word() % NONCE] ^= 1;
    must_reject(one, two, ZERO + length);
}

/* An authenticator that contains a zero byte, which must not end the comparison. */
static void zero_in_authenticator(void)
{
    const size_t length = ZERO + 40;
    uint8_t c[ZERO + 40], m[ZERO + 40];
    cpu_budget_start(FEW_SECONDS);
    memset(message, 0, length);
    do {
        harness_case("the last byte of the authenticator changed");
        prng_fill(nonce, NONCE);
        if (crypto_box_afternm(c, message, length, nonce, shared)) harness_fail(VALID_REJECTED, "boxing fails");
    } while (!memchr(c + BOXZERO, 0, ZERO - BOXZERO - 1) && cpu_budget_left());
    c[ZERO - 1] ^= random_bit();
    if (!crypto_box_open_afternm(m, c, length, nonce, shared)) harness_fail(FORGERY_ACCEPTED, "accepts a forgery");
}

static void strangers(const struct keys *one, const struct keys *two, const struct keys *third)
{
    round_trip(one, two, 59, 0);
    harness_case("different sender");
    must_reject(third, two, ZERO + 59);
    harness_case("different receiver");
    must_reject(one, third, ZERO + 59);
}

static struct keys similar;
static int opens;

static void box_similar(void)
{
    if (crypto_box(boxed, message, ZERO + 64, nonce, similar.pk, similar.sk)) memset(boxed, 0, ZERO + 64);
}

static void open_similar(void)
{
    uint8_t m[ZERO + 64];
    opens = !crypto_box_open(m, boxed, ZERO + 64, nonce, similar.pk, similar.sk);
}

static struct keys first; /* of the receiver and of the sender */

static void fixed_inputs(void)
{
    copy_keys(&similar, &first);
    memset(message, 0, ZERO), memset(message + ZERO, 0x36, 64), memset(nonce, 1, NONCE);
}

static void similar_boxes(void)
{
    fixed_inputs();
    EXPECT_NOTHING_KEPT("public key", similar.pk, PK, box_similar, boxed, ZERO + 64);
    EXPECT_NOTHING_KEPT("nonce", nonce, NONCE, box_similar, boxed, ZERO + 64);
    EXPECT_NOTHING_KEPT("message", message + ZERO, 64, box_similar, boxed, ZERO + 64);
    box_similar();
    EXPECT_NOTHING_KEPT("public key to open with", similar.pk, PK, open_similar, &opens, sizeof opens);
    EXPECT_NOTHING_KEPT("nonce to open with", nonce, NONCE, open_similar, &opens, sizeof opens);
    EXPECT_NOTHING_KEPT("box", boxed + BOXZERO, ZERO - BOXZERO + 64, open_similar, &opens, sizeof opens);
}

void operation_check(void)
{
    static const size_t fixed[] = {0, 1, 23, 59, 147, 709, 4096};
    static struct keys one, two, third;
    open_all();
    generate_keys(&one, prng_word());
    generate_keys(&two, prng_word());
    generate_keys(&third, prng_word());
    digest(one.pk, PK);
    open_keys(&first);
    memcpy(first.pk, two.pk, PK), memcpy(first.sk, one.sk, SK);
    call_first(fixed_inputs, box_similar, boxed, ZERO + 64);
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++) round_trip(&one, &two, fixed[i], 1);
    harness_case("message of 0 bytes");
    if (prepare(shared, two.pk, one.sk)) harness_fail(VALID_REJECTED, "beforenm fails");
    sender = &one, receiver = &two;
    compare_lengths(compare);
    if (!harness_lenient) { /* foreign trees open only boxes that they made */
        strangers(&one, &two, &third);
        forgeries(&one, &two, 0);
        forgeries(&two, &one, 70);
        zero_in_authenticator();
        similar_boxes();
    }
    round_trip(&one, &two, MAX_LENGTH, 0);
    cpu_budget_start(EXTRA_CASES_SECONDS);
    for (size_t length = 2; cpu_budget_left() && length < 3000; length += 1 + length / 64) {
        generate_keys(&one, prng_word());
        round_trip(&one, &two, length, 0);
    }
    repeat_first_call(repeat_cycle);
}

#include "answer.h"
