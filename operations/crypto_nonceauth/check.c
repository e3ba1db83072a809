/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The property tests of crypto_nonceauth: the authenticator depends only on key, nonce and
 * message, and on every byte of them; nothing is written outside the buffers; an expanded key, if
 * offered, serves many messages in pieces. */
#include "crypto_nonceauth.h"
#include "checked_call.h"

/* Every call is checked for what it leaves behind. */
#define crypto_nonceauth checked_call(crypto_nonceauth)
#define crypto_nonceauth_expandkey checked_call(crypto_nonceauth_expandkey)
#define crypto_nonceauth_start checked_call(crypto_nonceauth_start)
#define crypto_nonceauth_update checked_call(crypto_nonceauth_update)
#define crypto_nonceauth_end checked_call(crypto_nonceauth_end)
#define crypto_nonceauth_release checked_call(crypto_nonceauth_release)

#include "check.h"
#include "check_kept.h"

#define TAG crypto_nonceauth_BYTES
#define KEY crypto_nonceauth_KEYBYTES
#define NONCE crypto_nonceauth_NONCEBYTES
#define MAX_LENGTH 8192

static struct guard messages, tags, keys, nonces;
static uint8_t message[COMPARED_MAX];
static uint8_t *tag, *key, *nonce; /* TAG, KEY and NONCE bytes */

void operation_info(void)
{
    record_info("tag_bytes", TAG);
    record_info("key_bytes", KEY);
    record_info("nonce_bytes", NONCE);
}

static void authenticate(size_t length, unsigned alignment, enum guard_edge edge)
{
    const uint8_t *in = guarded_copy(&messages, message, length, alignment, edge);
    const uint8_t *k = guarded_copy(&keys, key, KEY, GUARD_ANY, next_edge());
    const uint8_t *n = guarded_copy(&nonces, nonce, NONCE, GUARD_ANY, next_edge());
    uint8_t *out = guard_place(&tags, TAG, alignment == GUARD_ANY ? GUARD_ANY : (alignment * 5) % 64, edge);
    memset(out, 0x5a, TAG);
    if (crypto_nonceauth(out, in, length, n, k)) harness_fail(CALL_FAILED, "returns an error");
    expect_unchanged(&messages, message, "message");
    expect_unchanged(&keys, key, "key");
    expect_unchanged(&nonces, nonce, "nonce");
    guard_check(&tags, "authenticator");
    memcpy(tag, out, TAG);
}

static void try_length(size_t length, unsigned alignment, enum guard_edge edge)
{
    uint8_t first[TAG];
    authenticate(length, GUARD_ANY, GUARD_BACK);
    memcpy(first, tag, TAG);
    authenticate(length, alignment, edge);
    if (memcmp(first, tag, TAG))
        harness_fail(NOT_DETERMINISTIC, "two calls on one message return different authenticators");
}

/* Some definitions require the first bit of a nonce to be 0 (VMAC: nonces below 2^127). */
static void renew(void)
{
    prng_fill(key, KEY);
    prng_fill(nonce, NONCE);
    nonce[0] &= 0x7f;
}

static void compare(size_t length)
{
    renew();
    authenticate(length, GUARD_ANY, alternate_edge(length));
    harness_digest(tag, TAG);
}

/* Before compare_lengths, because implementations get through more or fewer of its lengths. */
static void overflows(void)
{
    for (size_t i = 0; i <= 2 * NONCE; i++) {
        harness_case("nonce %zu of those from which a counter overflows", i);
        renew();
        fill_to_overflow(nonce, NONCE, i);
        nonce[0] &= 0x7f;
        authenticate(600, GUARD_ANY, GUARD_BACK);
        harness_digest(tag, TAG);
    }
    for (int byte = 0; byte <= 255; byte += 255) {
        harness_case("a key of bytes %d", byte);
        memset(key, byte, KEY);
        authenticate(600, GUARD_ANY, GUARD_BACK);
        harness_digest(tag, TAG);
    }
}

static void must_matter(uint8_t *byte, uint8_t change, size_t length)
{
    uint8_t first[TAG];
    memcpy(first, tag, TAG);
    *byte ^= change;
    authenticate(length, GUARD_ANY, GUARD_BACK);
    *byte ^= change;
    if (!memcmp(first, tag, TAG)) harness_fail(SAME_OUTPUT, "returns the same authenticator");
    memcpy(tag, first, TAG);
}

static void every_byte_matters(size_t length)
{
    renew();
    authenticate(length, GUARD_ANY, GUARD_BACK);
    for (size_t i = 0; i < length; i++) {
        harness_case("length %zu, message byte %zu changed", length, i);
        must_matter(message + i, random_bit(), length);
    }
    for (size_t i = 0; i < NONCE; i++) {
        harness_case("length %zu, nonce byte %zu changed", length, i);
        must_matter(nonce + i, 1, length);
    }
    for (size_t i = 0; i < KEY; i++) { /* the whole byte, because a definition may ignore a bit (clamping) */
        harness_case("length %zu, key byte %zu changed", length, i);
        must_matter(key + i, 0xff, length);
    }
}

#ifdef crypto_nonceauth_KEYED
/* Several messages under one expanded key, each as the one-shot function authenticates it. */
static void with_expanded_key(void)
{
    crypto_nonceauth_key *expanded = allocate(crypto_nonceauth_key_size, 0);
    crypto_nonceauth_state *state = allocate(crypto_nonceauth_state_size, 0);
    renew();
    memset(expanded, 0xa5, crypto_nonceauth_key_size);
    if (crypto_nonceauth_expandkey(expanded, key)) harness_fail(CALL_FAILED, "expandkey returns an error");
    for (size_t length = 0; length <= 2000; length = next_length(length)) {
        uint8_t out[TAG];
        const size_t step = length % 3 ? 1 + length / 3 : 16;
        harness_case("length %zu in pieces of %zu, expanded key", length, step);
        prng_fill(nonce, NONCE);
        nonce[0] &= 0x7f;
        authenticate(length, GUARD_ANY, GUARD_BACK);
        memset(state, 0xa5, crypto_nonceauth_state_size);
        crypto_nonceauth_start(state, nonce, expanded);
        for (size_t at = 0; at < length; at += step) {
            const size_t piece = length - at < step ? length - at : step;
            crypto_nonceauth_update(state, guarded_copy(&messages, message + at, piece, GUARD_ANY, GUARD_BACK), piece);
            expect_unchanged(&messages, message + at, "piece");
        }
        crypto_nonceauth_end(state, out);
        if (memcmp(out, tag, TAG)) harness_fail(WRONG_OUTPUT, "an expanded key gives a different authenticator");
    }
#ifdef crypto_nonceauth_RELEASES
    crypto_nonceauth_release(expanded);
#endif
}
#else
static void with_expanded_key(void)
{
}
#endif

static void authenticate_similar(void)
{
    if (crypto_nonceauth(tag, message, 64, nonce, key)) harness_fail(CALL_FAILED, "returns an error");
}

static void fixed_inputs(void)
{
    memset(message, 0x36, 64), memset(key, 0x5c, KEY), memset(nonce, 1, NONCE);
}

static void similar_messages(void)
{
    EXPECT_NOTHING_KEPT("key", key, KEY, authenticate_similar, tag, TAG);
    EXPECT_NOTHING_KEPT("nonce", nonce + 1, NONCE - 1, authenticate_similar, tag, TAG); /* see renew */
    EXPECT_NOTHING_KEPT("message", message, 64, authenticate_similar, tag, TAG);
}

void operation_check(void)
{
    tag = allocate(TAG, 0);
    key = allocate(KEY, 0);
    nonce = allocate(NONCE, 0);
    guard_open(&messages, COMPARED_MAX + 64, "message");
    guard_open(&tags, TAG + 64, "authenticator");
    guard_open(&keys, KEY, "key");
    guard_open(&nonces, NONCE, "nonce");
    call_first(fixed_inputs, authenticate_similar, tag, TAG);
    prng_fill(message, COMPARED_MAX);
    overflows();
    compare_equal_bytes(message, compare);
    prng_fill(message, COMPARED_MAX);
    compare_lengths(compare);
    for (size_t length = 0; length <= MAX_LENGTH; length = next_length(length)) {
        harness_case("length %zu", length);
        renew();
        try_length(length, (unsigned)(length * 11 + 1) % 64, alternate_edge(length));
    }
    for (unsigned alignment = 0; alignment < 64; alignment++) {
        harness_case("alignment %u", alignment);
        try_length(600, alignment, alternate_edge(alignment));
    }
    every_byte_matters(40);
    every_byte_matters(300);
    with_expanded_key();
    repeat_first_call(repeat_calls);
    similar_messages();
}

int operation_answer(const char *verb)
{
    size_t length;
    if (strcmp(verb, "nonceauth")) return -1;
    const uint8_t *k = request_exactly(KEY, "key"), *n = request_exactly(NONCE, "nonce");
    const uint8_t *in = request_bytes(&length);
    uint8_t out[TAG];
    if (!answer_failure(crypto_nonceauth(out, in, length, n, k))) answer_bytes(out, TAG);
    return 0;
}
