/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The laws of crypto_auth: the authenticator depends on key and message
 * alone, every byte of both matters, verify accepts it and nothing else,
 * nothing is written outside, and pieces (where offered) give the same. */
#include "crypto_auth.h"
#include "laws.h"

#define TAG crypto_auth_BYTES
#define KEY crypto_auth_KEYBYTES
#define LONGEST 8192

static struct guard messages, tags, keys;
static uint8_t message[LONGEST + 1], tag[TAG], key[KEY + 1];

void operation_info(void)
{
    record_info("tag_bytes", TAG);
    record_info("key_bytes", KEY);
}

/* The authenticator of the first `length` bytes of `message`, into `tag`. */
static void take(size_t length, unsigned alignment, enum guard_edge edge)
{
    const uint8_t *in = law_given(&messages, message, length, alignment, edge);
    const uint8_t *k = law_given(&keys, key, KEY, GUARD_ANY, edge);
    uint8_t *out = guard_place(&tags, TAG, alignment == GUARD_ANY ? GUARD_ANY : (alignment * 5) % 64, edge);
    memset(out, 0x5a, TAG);
    if (crypto_auth(out, in, length, k)) harness_fail("fails");
    law_unchanged(&messages, message, "message");
    law_unchanged(&keys, key, "key");
    guard_check(&tags, "authenticator");
    memcpy(tag, out, TAG);
}

/* Whether verify accepts `tag`. */
static int accepts(size_t length, unsigned alignment, enum guard_edge edge)
{
    const uint8_t *in = law_given(&messages, message, length, alignment, edge);
    const uint8_t *k = law_given(&keys, key, KEY, GUARD_ANY, edge);
    const uint8_t *h = law_given(&tags, tag, TAG, GUARD_ANY, edge);
    const int result = crypto_auth_verify(h, in, length, k);
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

/* With `*byte` changed, the old authenticator is wrong. */
static void must_matter(uint8_t *byte, uint8_t change, size_t length)
{
    uint8_t first[TAG];
    memcpy(first, tag, TAG);
    *byte ^= change;
    if (accepts(length, GUARD_ANY, GUARD_BACK)) harness_fail("verify accepts a forgery");
    take(length, GUARD_ANY, GUARD_BACK);
    *byte ^= change;
    if (!memcmp(first, tag, TAG)) harness_fail("gives the same authenticator");
    memcpy(tag, first, TAG);
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
    if (harness_lenient) return; /* other trees change authenticators alone */
    for (size_t i = 0; i < length; i++) {
        harness_case("length %zu, message byte %zu changed", length, i);
        must_matter(message + i, law_bit(), length);
    }
    for (size_t i = 0; i < KEY; i++) { /* the whole byte: a definition may ignore a bit (clamping, parity) */
        harness_case("length %zu, key byte %zu changed", length, i);
        must_matter(key + i, 0xff, length);
    }
    harness_case("length %zu, a zero byte appended", length);
    message[length] = 0;
    if (accepts(length + 1, GUARD_ANY, GUARD_BACK)) harness_fail("verify accepts a forgery");
}

#ifdef crypto_auth_INCREMENTAL
static void in_pieces(size_t length, size_t step)
{
    static crypto_auth_state started, state;
    uint8_t out[TAG];
    harness_case("length %zu in pieces of %zu", length, step);
    memset(&started, 0xa5, sizeof started);
    crypto_auth_start(&started, key);
    memcpy(&state, &started, sizeof state);
    for (size_t at = 0; at < length; at += step) {
        const size_t piece = length - at < step ? length - at : step;
        crypto_auth_update(&state, law_given(&messages, message + at, piece, GUARD_ANY, GUARD_BACK), piece);
        law_unchanged(&messages, message + at, "piece");
    }
    crypto_auth_end(&state, out);
    if (memcmp(out, tag, TAG)) harness_fail("gives another authenticator in pieces");
    crypto_auth_update(&started, message, length); /* the copy has not used the first one up */
    crypto_auth_end(&started, out);
    if (memcmp(out, tag, TAG)) harness_fail("gives another authenticator from the state it copied");
}
#else
static void in_pieces(size_t length, size_t step)
{
    (void)length, (void)step;
}
#endif

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
        in_pieces(length, 1 + length / 3);
        in_pieces(length, 64);
    }
    for (unsigned alignment = 0; alignment < 64; alignment++) {
        harness_case("alignment %u", alignment);
        try_length(600, alignment, law_edge(alignment));
    }
    for (size_t i = 0; i < sizeof forged / sizeof forged[0]; i++) forgeries(forged[i]);
}

static int answer_auth(void)
{
    size_t length;
    const uint8_t *k = request_exactly(KEY, "key"), *in = request_bytes(&length);
    if (crypto_auth(tag, in, length, k))
        answer_word("refused");
    else
        answer_bytes(tag, TAG);
    return 0;
}

/* The message, as `open` of a box gives it. */
static int answer_verify(void)
{
    size_t length;
    const uint8_t *k = request_exactly(KEY, "key"), *in = request_bytes(&length);
    const uint8_t *h = request_exactly(TAG, "authenticator");
    if (crypto_auth_verify(h, in, length, k))
        answer_word("rejected");
    else
        answer_bytes(in, length);
    return 0;
}

int operation_answer(const char *verb)
{
    if (!strcmp(verb, "auth")) return answer_auth();
    if (!strcmp(verb, "verify")) return answer_verify();
    return -1;
}
