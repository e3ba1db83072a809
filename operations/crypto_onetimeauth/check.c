/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The property tests of crypto_onetimeauth: the tag depends only on r, s and the message, and on
 * every bit of the message; nothing is written outside the buffers. */
#include "crypto_onetimeauth.h"
#include "checked_call.h"

/* Every call is checked for what it leaves behind. */
#define crypto_onetimeauth_expandkey checked_call(crypto_onetimeauth_expandkey)
#define crypto_onetimeauth_authenticate checked_call(crypto_onetimeauth_authenticate)

#include "check.h"
#include "check_kept.h"

#define TAG crypto_onetimeauth_TAGBYTES
#define MAX_LENGTH 8192

static struct guard keys, pads, messages, tags;
static crypto_onetimeauth_key *expanded, *kept;
static uint8_t key[crypto_onetimeauth_KEYBYTES], pad[crypto_onetimeauth_PADBYTES], message[COMPARED_MAX], tag[TAG];

void operation_info(void)
{
    record_info("expanded_key_bytes", crypto_onetimeauth_key_size);
}

static void new_key(void)
{
    const uint8_t *copy = guarded_copy(&keys, key, sizeof key, GUARD_ANY, next_edge());
    memset(expanded, 0xa5, crypto_onetimeauth_key_size); /* expandkey must not rely on zeroed memory */
    crypto_onetimeauth_expandkey(expanded, copy);
    guard_check(&keys, "key");
    if (memcmp(copy, key, sizeof key)) harness_fail(INPUT_MODIFIED, "modifies the key");
    memcpy(kept, expanded, crypto_onetimeauth_key_size);
}

static void authenticate(size_t length, unsigned alignment, enum guard_edge edge)
{
    const uint8_t *s = guarded_copy(&pads, pad, sizeof pad, GUARD_ANY, next_edge());
    const uint8_t *m = guarded_copy(&messages, message, length, alignment, edge);
    uint8_t *t = guard_place(&tags, TAG, GUARD_ANY, next_edge());
    crypto_onetimeauth_authenticate(t, m, length, s, expanded);
    guard_check(&pads, "pad");
    guard_check(&messages, "message");
    guard_check(&tags, "tag");
    if (memcmp(s, pad, sizeof pad)) harness_fail(INPUT_MODIFIED, "modifies the pad");
    if (memcmp(m, message, length)) harness_fail(INPUT_MODIFIED, "modifies the message");
    if (memcmp(kept, expanded, crypto_onetimeauth_key_size)) harness_fail(INPUT_MODIFIED, "modifies the expanded key");
    memcpy(tag, t, TAG);
    uint8_t *both = guarded_copy_to_change(&pads, pad, sizeof pad, GUARD_ANY, GUARD_BACK);
    crypto_onetimeauth_authenticate(both, m, length, both, expanded);
    if (memcmp(both, tag, TAG)) harness_fail(WRONG_OUTPUT, "returns a different tag when the tag overwrites the pad");
}

static void alignments(size_t length)
{
    uint8_t first[TAG];
    authenticate(length, GUARD_ANY, GUARD_BACK);
    memcpy(first, tag, TAG);
    authenticate(length, (unsigned)(length * 11 + 1) % 64, GUARD_FRONT);
    if (memcmp(first, tag, TAG)) harness_fail(NOT_DETERMINISTIC, "two calls on one message return different tags");
}

static void compare(size_t length)
{
    if (length % 8 < 2) { /* lengths of the same parity follow each other */
        prng_fill(key, sizeof key);
        new_key();
    }
    prng_fill(pad, sizeof pad);
    authenticate(length, GUARD_ANY, alternate_edge(length));
    harness_digest(tag, TAG);
}

/* Checks that a changed bit changes the tag. The key is random, so a collision means an error. */
static void every_byte_matters(size_t length)
{
    uint8_t first[TAG];
    authenticate(length, GUARD_ANY, GUARD_BACK);
    memcpy(first, tag, TAG);
    for (size_t i = 0; i < length; i++) {
        const uint8_t bit = (uint8_t)(1u << (prng_word() % 8));
        harness_case("length %zu, byte %zu changed", length, i);
        message[i] ^= bit;
        authenticate(length, GUARD_ANY, GUARD_BACK);
        message[i] ^= bit;
        if (!memcmp(first, tag, TAG)) harness_fail(SAME_OUTPUT, "returns the same tag");
    }
}

/* Keys and messages of all ones cause the most carries. */
static void extremes(void)
{
    memset(key, 0xff, sizeof key);
    memset(pad, 0xff, sizeof pad);
    memset(message, 0xff, MAX_LENGTH);
    new_key();
    for (size_t length = 0; length <= 1100; length += length < 300 ? 1 : 64) {
        harness_case("all ones, length %zu", length);
        alignments(length);
        harness_digest(tag, TAG);
    }
}

/* Checks that an expanded key is all that is kept of a key: another one may be expanded before it is used again. */
static void two_keys(void)
{
    static crypto_onetimeauth_key *other;
    uint8_t first[TAG], second[crypto_onetimeauth_KEYBYTES];
    harness_case("two keys in use");
    if (!other) other = allocate(crypto_onetimeauth_key_size, 0);
    authenticate(100, GUARD_ANY, GUARD_BACK);
    memcpy(first, tag, TAG);
    prng_fill(second, sizeof second);
    crypto_onetimeauth_expandkey(other, second);
    authenticate(100, GUARD_ANY, GUARD_BACK);
    if (memcmp(first, tag, TAG)) harness_fail(WRONG_OUTPUT, "a tag changes when another key is expanded");
}

static void authenticate_short(void)
{
    crypto_onetimeauth_authenticate(tag, message, 64, pad, expanded);
}

static void authenticate_similar(void)
{
    crypto_onetimeauth_expandkey(expanded, key);
    authenticate_short();
}

static void fixed_inputs(void)
{
    memset(message, 0x36, 64), memset(key, 0x5c, sizeof key), memset(pad, 1, sizeof pad);
    new_key();
}

static void similar_messages(void)
{
    EXPECT_NOTHING_KEPT("key", key, sizeof key, authenticate_similar, tag, TAG);
    EXPECT_NOTHING_KEPT("pad", pad, sizeof pad, authenticate_similar, tag, TAG);
    EXPECT_NOTHING_KEPT("message", message, 64, authenticate_similar, tag, TAG);
}

static void open_all(void)
{
    expanded = allocate_guarded(crypto_onetimeauth_key_size, "expanded key");
    kept = allocate(crypto_onetimeauth_key_size, 0);
    guard_open(&keys, sizeof key, "key");
    guard_open(&pads, sizeof pad, "pad");
    guard_open(&messages, COMPARED_MAX + 64, "message");
    guard_open(&tags, TAG, "tag");
}

void operation_check(void)
{
    open_all();
    call_first(fixed_inputs, authenticate_short, tag, TAG);
    extremes(); /* before compare_lengths, because implementations get through more or fewer of its lengths */
    prng_fill(key, sizeof key);
    new_key();
    compare_equal_bytes(message, compare);
    prng_fill(message, sizeof message);
    compare_lengths(compare);
    for (size_t length = 0; length <= MAX_LENGTH; length += length < 600 ? 1 : 1 + length / 7) {
        harness_case("length %zu", length);
        prng_fill(key, sizeof key);
        prng_fill(pad, sizeof pad);
        prng_fill(message, length);
        new_key();
        alignments(length);
    }
    every_byte_matters(40);
    every_byte_matters(1500);
    two_keys();
    repeat_first_call(repeat_calls);
    similar_messages();
}

int operation_answer(const char *verb)
{
    size_t length;
    if (strcmp(verb, "authenticate")) return -1;
    if (!expanded) open_all();
    const uint8_t *k = request_exactly(sizeof key, "key"), *s = request_exactly(sizeof pad, "pad");
    const uint8_t *in = request_bytes(&length);
    crypto_onetimeauth_expandkey(expanded, k);
    crypto_onetimeauth_authenticate(tag, in, length, s, expanded);
    answer_bytes(tag, TAG);
    return 0;
}
