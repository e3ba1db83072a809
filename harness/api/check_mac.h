/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CHECK_MAC_H
#define CHECK_MAC_H

/* Helpers for the property tests of authenticators that take no nonce. Define before the #include:
 *
 *   AUTH(out, in, inlen, k)         computes the authenticator; 0 on success
 *   AUTH_VERIFY(h, in, inlen, k)    0 if `h` is the authenticator
 *   TAG, KEY                        bytes of an authenticator and of a key */

#include "check.h"
#include "check_kept.h"

#define MAX_LENGTH 8192 /* bytes */

static struct guard messages, tags, keys;
static uint8_t message[COMPARED_MAX];
static uint8_t *tag, *key; /* TAG and KEY bytes */

/* Computes the authenticator of the first `length` bytes of `message` into `tag`. */
static inline void authenticate(size_t length, unsigned alignment, enum guard_edge edge)
{
    const uint8_t *in = guarded_copy(&messages, message, length, alignment, edge);
    const uint8_t *k = guarded_copy(&keys, key, KEY, GUARD_ANY, next_edge());
    uint8_t *out = guard_place(&tags, TAG, alignment == GUARD_ANY ? GUARD_ANY : (alignment * 5) % 64, edge);
    memset(out, 0x5a, TAG);
    if (AUTH(out, in, length, k)) harness_fail(CALL_FAILED, "returns an error");
    expect_unchanged(&messages, message, "message");
    expect_unchanged(&keys, key, "key");
    guard_check(&tags, "authenticator");
    memcpy(tag, out, TAG);
}

/* Whether AUTH_VERIFY accepts `tag`. */
static inline int accepts(size_t length, unsigned alignment, enum guard_edge edge)
{
    const uint8_t *in = guarded_copy(&messages, message, length, alignment, edge);
    const uint8_t *k = guarded_copy(&keys, key, KEY, GUARD_ANY, next_edge());
    const uint8_t *h = guarded_copy(&tags, tag, TAG, GUARD_ANY, next_edge());
    const int result = verdict(AUTH_VERIFY(h, in, length, k));
    expect_unchanged(&messages, message, "message");
    expect_unchanged(&keys, key, "key");
    expect_unchanged(&tags, tag, "authenticator");
    return result == 0;
}

static inline void try_length(size_t length, unsigned alignment, enum guard_edge edge)
{
    uint8_t first[TAG];
    authenticate(length, GUARD_ANY, GUARD_BACK);
    memcpy(first, tag, TAG);
    authenticate(length, alignment, edge);
    if (memcmp(first, tag, TAG))
        harness_fail(NOT_DETERMINISTIC, "two calls on one message return different authenticators");
    if (!accepts(length, alignment, edge)) harness_fail(VALID_REJECTED, "verify rejects the authenticator");
}

/* Checks that `tag` is rejected, unless it is right by chance. */
static inline void reject_unless_right(size_t length, const uint8_t *right)
{
    if (memcmp(tag, right, TAG) && accepts(length, GUARD_ANY, GUARD_BACK))
        harness_fail(FORGERY_ACCEPTED, "verify accepts a forgery");
}

/* Checks that what anybody can authenticate, with a key of zeroes, is not accepted under another key. */
static inline void forge_with_a_key_of_zeroes(size_t length, const uint8_t *right)
{
    uint8_t kept[KEY + 1];
    memcpy(kept, key, KEY);
    harness_case("length %zu, an authenticator under a key of zeroes", length);
    memset(key, 0, KEY);
    authenticate(length, GUARD_ANY, GUARD_BACK);
    memcpy(key, kept, KEY);
    reject_unless_right(length, right);
}

/* Computes the authenticator and checks that it is rejected with any one bit changed, backwards or complemented, and
 * that no message has the authenticator of zeroes or of ones, or one under a key of zeroes. */
static inline void forge_authenticators(size_t length)
{
    authenticate(length, GUARD_ANY, GUARD_BACK);
    for (size_t bit = 0; bit < 8 * TAG; bit++) {
        harness_case("length %zu, bit %zu of the authenticator changed", length, bit);
        tag[bit / 8] ^= (uint8_t)(1u << bit % 8);
        if (accepts(length, GUARD_ANY, GUARD_BACK)) harness_fail(FORGERY_ACCEPTED, "verify accepts a forgery");
        tag[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    uint8_t kept[TAG];
    memcpy(kept, tag, TAG);
    for (int byte = 0; byte <= 255; byte += 255) {
        harness_case("length %zu, an authenticator of bytes %d", length, byte);
        memset(tag, byte, TAG);
        reject_unless_right(length, kept); /* CBC-MAC of no bytes is 0 */
    }
    harness_case("length %zu, the authenticator backwards", length);
    for (size_t i = 0; i < TAG; i++) tag[i] = kept[TAG - 1 - i];
    reject_unless_right(length, kept);
    harness_case("length %zu, every bit of the authenticator changed", length);
    for (size_t i = 0; i < TAG; i++) tag[i] = (uint8_t)~kept[i];
    reject_unless_right(length, kept);
    forge_with_a_key_of_zeroes(length, kept);
    memcpy(tag, kept, TAG);
}

/* Authenticators with two changes that may cancel, and one that contains a zero byte, which must not end the
 * comparison. */
static inline void cancelling_authenticators(void)
{
    authenticate(40, GUARD_ANY, GUARD_BACK);
    for (unsigned i = 0; i < CANCELLING_CHANGES; i++) {
        harness_case("two bytes of the authenticator changed, case %u", i);
        const struct changed_pair pair = change_together(tag, TAG, i);
        if (accepts(40, GUARD_ANY, GUARD_BACK)) harness_fail(FORGERY_ACCEPTED, "verify accepts a forgery");
        change_back(&pair);
    }
    cpu_budget_start(FEW_SECONDS);
    do {
        harness_case("the last byte of the authenticator changed");
        prng_fill(message, 40);
        authenticate(40, GUARD_ANY, GUARD_BACK);
    } while (!memchr(tag, 0, TAG - 1) && cpu_budget_left());
    tag[TAG - 1] ^= random_bit();
    if (accepts(40, GUARD_ANY, GUARD_BACK)) harness_fail(FORGERY_ACCEPTED, "verify accepts a forgery");
}

/* All functions in turn, and a forgery. */
static inline void authenticator_cycle(void)
{
    uint8_t out[TAG];
    if (AUTH(out, message, 64, key)) harness_fail(CALL_FAILED, "returns an error");
    if (AUTH_VERIFY(out, message, 64, key)) harness_fail(VALID_REJECTED, "verify rejects the authenticator");
    out[0] ^= 1;
    if (!AUTH_VERIFY(out, message, 64, key)) harness_fail(FORGERY_ACCEPTED, "verify accepts a forgery");
}

static inline void compare_authenticators(size_t length)
{
    if (length % 8 < 2) prng_fill(key, KEY); /* lengths of the same parity follow each other */
    const uint8_t bit = random_bit();
    authenticate(length, GUARD_ANY, alternate_edge(length));
    harness_digest(tag, TAG);
    if (!cpu_budget_left() && length % 21) return;
    if (!accepts(length, GUARD_ANY, GUARD_BACK)) harness_fail(VALID_REJECTED, "verify rejects the authenticator");
    harness_case("length %zu, byte %zu of the authenticator changed", length, length % TAG);
    tag[length % TAG] ^= bit;
    if (accepts(length, GUARD_ANY, GUARD_BACK)) harness_fail(FORGERY_ACCEPTED, "verify accepts a forgery");
}

static inline void authenticate_similar(void)
{
    if (AUTH(tag, message, 64, key)) harness_fail(CALL_FAILED, "returns an error");
}

static inline void fixed_inputs(void)
{
    memset(message, 0x36, 64), memset(key, 0x5c, KEY);
}

static int accepted;

static inline void verify_similar(void)
{
    accepted = !verdict(AUTH_VERIFY(tag, message, 64, key));
}

static inline void similar_messages(void)
{
    EXPECT_NOTHING_KEPT("key", key, KEY, authenticate_similar, tag, TAG);
    EXPECT_NOTHING_KEPT("message", message, 64, authenticate_similar, tag, TAG);
    authenticate_similar();
    EXPECT_NOTHING_KEPT("authenticator to verify", tag, TAG, verify_similar, &accepted, sizeof accepted);
    EXPECT_NOTHING_KEPT("message to verify", message, 64, verify_similar, &accepted, sizeof accepted);
    EXPECT_NOTHING_KEPT("key to verify with", key, KEY, verify_similar, &accepted, sizeof accepted);
}

/* Tries lengths up to MAX_LENGTH and every alignment. Calls `also` after each length and `forgeries` for a few. */
static inline void try_authenticators(void (*also)(size_t length), void (*forgeries)(size_t length))
{
    static const size_t forged[] = {0, 1, 16, 40, 64, 300};
    tag = allocate(TAG, 0);
    key = allocate(KEY, 0);
    guard_open(&messages, COMPARED_MAX + 64, "message");
    guard_open(&tags, TAG + 64, "authenticator");
    guard_open(&keys, KEY, "key");
    call_first(fixed_inputs, authenticate_similar, tag, TAG);
    for (int byte = 0; byte <= 255; byte += 255) {
        harness_case("a key of bytes %d", byte);
        memset(key, byte, KEY);
        authenticate(200, GUARD_ANY, GUARD_BACK);
        harness_digest(tag, TAG);
    }
    prng_fill(key, KEY);
    compare_equal_bytes(message, compare_authenticators);
    prng_fill(message, COMPARED_MAX);
    prng_fill(key, KEY);
    compare_lengths(compare_authenticators);
    for (size_t length = 0; length <= MAX_LENGTH; length = next_length(length)) {
        harness_case("length %zu", length);
        prng_fill(key, KEY);
        try_length(length, (unsigned)(length * 11 + 1) % 64, alternate_edge(length));
        if (also) also(length);
    }
    for (unsigned alignment = 0; alignment < 64; alignment++) {
        harness_case("alignment %u", alignment);
        try_length(600, alignment, alternate_edge(alignment));
    }
    for (size_t i = 0; i < sizeof forged / sizeof forged[0]; i++) forgeries(forged[i]);
    if (!harness_lenient) cancelling_authenticators();
    repeat_first_call(repeat_calls);
    similar_messages();
    if (!harness_lenient) repeat_cycle(authenticator_cycle);
}

/* Answers the request KEY MESSAGE with the authenticator. */
static inline int answer_authenticator(void)
{
    size_t length;
    const uint8_t *k = request_exactly(KEY, "key"), *in = request_bytes(&length);
    uint8_t out[TAG];
    if (!answer_failure(AUTH(out, in, length, k))) answer_bytes(out, TAG);
    return 0;
}

#endif
