/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The laws of a foreign crypto_onetimeauth: the authenticator depends on key
 * and message alone, verify accepts it and none that is changed, nothing is
 * written outside. */
#include "crypto_onetimeauth.h"
#include "laws.h"

#define TAG crypto_onetimeauth_BYTES
#define KEY crypto_onetimeauth_KEYBYTES
#define LONGEST 8192

static struct guard messages, tags, keys;
static uint8_t message[LONGEST], tag[TAG], key[KEY + 1];

void operation_info(void)
{
    record_info("tag_bytes", TAG);
    record_info("key_bytes", KEY);
}

static void take(size_t length, unsigned alignment, enum guard_edge edge)
{
    const uint8_t *in = law_given(&messages, message, length, alignment, edge);
    const uint8_t *k = law_given(&keys, key, KEY, GUARD_ANY, edge);
    uint8_t *out = guard_place(&tags, TAG, alignment == GUARD_ANY ? GUARD_ANY : (alignment * 5) % 64, edge);
    memset(out, 0x5a, TAG);
    if (crypto_onetimeauth(out, in, length, k)) harness_fail("fails");
    law_unchanged(&messages, message, "message");
    law_unchanged(&keys, key, "key");
    guard_check(&tags, "authenticator");
    memcpy(tag, out, TAG);
}

static int accepts(size_t length, unsigned alignment, enum guard_edge edge)
{
    const uint8_t *in = law_given(&messages, message, length, alignment, edge);
    const uint8_t *k = law_given(&keys, key, KEY, GUARD_ANY, edge);
    const uint8_t *a = law_given(&tags, tag, TAG, GUARD_ANY, edge);
    const int result = crypto_onetimeauth_verify(a, in, length, k);
    law_unchanged(&messages, message, "message");
    law_unchanged(&keys, key, "key");
    law_unchanged(&tags, tag, "authenticator");
    return result == 0;
}

static void try_length(size_t length, unsigned alignment, enum guard_edge edge)
{
    uint8_t first[TAG];
    take(length, GUARD_ANY, GUARD_BACK);
    memcpy(first, tag, TAG);
    take(length, alignment, edge);
    if (memcmp(first, tag, TAG)) harness_fail("gives two authenticators of one message");
    if (!accepts(length, alignment, edge)) harness_fail("verify rejects the authenticator");
}

static void forgeries(size_t length)
{
    take(length, GUARD_ANY, GUARD_BACK);
    for (size_t bit = 0; bit < 8 * TAG; bit++) {
        harness_case("length %zu, bit %zu of the authenticator changed", length, bit);
        tag[bit / 8] ^= (uint8_t)(1u << bit % 8);
        if (accepts(length, GUARD_ANY, GUARD_BACK)) harness_fail("verify accepts a forgery");
        tag[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    for (size_t i = 0; i < length && !harness_lenient; i++) {
        const uint8_t change = law_bit();
        harness_case("length %zu, message byte %zu changed", length, i);
        message[i] ^= change;
        if (accepts(length, GUARD_ANY, GUARD_BACK)) harness_fail("verify accepts a forgery");
        message[i] ^= change;
    }
}

void operation_check(void)
{
    static const size_t forged[] = {0, 1, 16, 40, 64, 300};
    guard_open(&messages, LONGEST + 64, "message");
    guard_open(&tags, TAG + 64, "authenticator");
    guard_open(&keys, KEY, "key");
    bytes_fill(message, LONGEST);
    for (size_t length = 0; length <= LONGEST; length = law_next_length(length)) {
        harness_case("length %zu", length);
        bytes_fill(key, KEY);
        try_length(length, (unsigned)(length * 11 + 1) % 64, law_edge(length));
        harness_digest(tag, TAG);
    }
    for (unsigned alignment = 0; alignment < 64; alignment++) {
        harness_case("alignment %u", alignment);
        try_length(600, alignment, law_edge(alignment));
    }
    for (size_t i = 0; i < sizeof forged / sizeof forged[0]; i++) forgeries(forged[i]);
}

int operation_answer(const char *verb)
{
    size_t length;
    if (strcmp(verb, "authenticate")) return -1;
    const uint8_t *k = request_exactly(KEY, "key"), *in = request_bytes(&length);
    if (crypto_onetimeauth(tag, in, length, k))
        answer_word("refused");
    else
        answer_bytes(tag, TAG);
    return 0;
}
