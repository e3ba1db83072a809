/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CHECK_MAC_H
#define CHECK_MAC_H

/* What the checks of authenticators of key and message alone have in common.
 * Before the #include:
 *
 *   AUTH(out, in, inlen, k), AUTH_VERIFY(h, in, inlen, k)   the implementation's functions
 *   TAG, KEY                                                bytes of an authenticator and of a key */

#include "check.h"

#define LONGEST 8192

static struct guard messages, tags, keys;
static uint8_t message[LONGEST + 1], tag[TAG], key[KEY + 1];

/* The authenticator of the first `length` bytes of `message`, into `tag`. */
static inline void take(size_t length, unsigned alignment, enum guard_edge edge)
{
    const uint8_t *in = guarded_copy(&messages, message, length, alignment, edge);
    const uint8_t *k = guarded_copy(&keys, key, KEY, GUARD_ANY, edge);
    uint8_t *out = guard_place(&tags, TAG, alignment == GUARD_ANY ? GUARD_ANY : (alignment * 5) % 64, edge);
    memset(out, 0x5a, TAG);
    if (AUTH(out, in, length, k)) harness_fail(CALL_FAILED, "returns an error");
    expect_unchanged(&messages, message, "message");
    expect_unchanged(&keys, key, "key");
    guard_check(&tags, "authenticator");
    memcpy(tag, out, TAG);
}

/* Whether verify accepts `tag`. */
static inline int accepts(size_t length, unsigned alignment, enum guard_edge edge)
{
    const uint8_t *in = guarded_copy(&messages, message, length, alignment, edge);
    const uint8_t *k = guarded_copy(&keys, key, KEY, GUARD_ANY, edge);
    const uint8_t *h = guarded_copy(&tags, tag, TAG, GUARD_ANY, edge);
    const int result = AUTH_VERIFY(h, in, length, k);
    expect_unchanged(&messages, message, "message");
    expect_unchanged(&keys, key, "key");
    expect_unchanged(&tags, tag, "authenticator");
    return result == 0;
}

static inline void try_length(size_t length, unsigned alignment, enum guard_edge edge)
{
    uint8_t first[TAG];
    take(length, GUARD_ANY, GUARD_BACK);
    memcpy(first, tag, TAG);
    take(length, alignment, edge);
    if (memcmp(first, tag, TAG)) harness_fail(NOT_DETERMINISTIC, "two calls on one message return different authenticators");
    if (!accepts(length, alignment, edge)) harness_fail(VALID_REJECTED, "verify rejects the authenticator");
}

/* Takes the authenticator; with any bit of it changed it is rejected. */
static inline void forge_authenticators(size_t length)
{
    take(length, GUARD_ANY, GUARD_BACK);
    for (size_t bit = 0; bit < 8 * TAG; bit++) {
        harness_case("length %zu, bit %zu of the authenticator changed", length, bit);
        tag[bit / 8] ^= (uint8_t)(1u << bit % 8);
        if (accepts(length, GUARD_ANY, GUARD_BACK)) harness_fail(FORGERY_ACCEPTED, "verify accepts a forgery");
        tag[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}

/* Every length and alignment; `also` is tried after each length, `forgeries` for some. */
static inline void try_authenticators(void (*also)(size_t length), void (*forgeries)(size_t length))
{
    static const size_t forged[] = {0, 1, 16, 40, 64, 300};
    guard_open(&messages, LONGEST + 64, "message");
    guard_open(&tags, TAG + 64, "authenticator");
    guard_open(&keys, KEY, "key");
    prng_fill(message, LONGEST);
    for (size_t length = 0; length <= LONGEST; length = next_length(length)) {
        harness_case("length %zu", length);
        prng_fill(key, KEY);
        try_length(length, (unsigned)(length * 11 + 1) % 64, alternate_edge(length));
        harness_digest(tag, TAG);
        if (also) also(length);
    }
    for (unsigned alignment = 0; alignment < 64; alignment++) {
        harness_case("alignment %u", alignment);
        try_length(600, alignment, alternate_edge(alignment));
    }
    for (size_t i = 0; i < sizeof forged / sizeof forged[0]; i++) forgeries(forged[i]);
}

/* Request KEY MESSAGE -> TAG. */
static inline int answer_authenticator(void)
{
    size_t length;
    const uint8_t *k = request_exactly(KEY, "key"), *in = request_bytes(&length);
    if (AUTH(tag, in, length, k))
        answer_word("refused");
    else
        answer_bytes(tag, TAG);
    return 0;
}

#endif
