/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The property tests of crypto_auth: the authenticator depends only on key and message and on
 * every byte of both; verify accepts it and nothing else; nothing is written outside the buffers;
 * the incremental interface, if offered, computes the same. */
#include "crypto_auth.h"
#include "checked_call.h"

/* Every call is checked for what it leaves behind. */
#define crypto_auth checked_call(crypto_auth)
#define crypto_auth_verify checked_call(crypto_auth_verify)
#define crypto_auth_start checked_call(crypto_auth_start)
#define crypto_auth_update checked_call(crypto_auth_update)
#define crypto_auth_end checked_call(crypto_auth_end)

#define TAG crypto_auth_BYTES
#define KEY crypto_auth_KEYBYTES
#define AUTH crypto_auth
#define AUTH_VERIFY crypto_auth_verify
#include "check_mac.h"

void operation_info(void)
{
    record_info("tag_bytes", TAG);
    record_info("key_bytes", KEY);
}

/* Checks that changing `*byte` changes the authenticator. */
static void must_matter(uint8_t *byte, uint8_t change, size_t length)
{
    uint8_t first[TAG];
    memcpy(first, tag, TAG);
    *byte ^= change;
    if (accepts(length, GUARD_ANY, GUARD_BACK)) harness_fail(FORGERY_ACCEPTED, "verify accepts a forgery");
    authenticate(length, GUARD_ANY, GUARD_BACK);
    *byte ^= change;
    if (!memcmp(first, tag, TAG)) harness_fail(SAME_OUTPUT, "returns the same authenticator");
    memcpy(tag, first, TAG);
}

static void forgeries(size_t length)
{
    forge_authenticators(length);
    if (harness_lenient) return; /* foreign trees test only changed authenticators */
    for (size_t i = 0; i < length; i++) {
        harness_case("length %zu, message byte %zu changed", length, i);
        must_matter(message + i, random_bit(), length);
    }
    for (size_t i = 0; i < KEY; i++) { /* the whole byte, because a definition may ignore a bit (clamping, parity) */
        harness_case("length %zu, key byte %zu changed", length, i);
        must_matter(key + i, 0xff, length);
    }
    harness_case("length %zu, the last byte missing", length);
    if (length && accepts(length - 1, GUARD_ANY, GUARD_BACK))
        harness_fail(FORGERY_ACCEPTED, "verify accepts a forgery");
    harness_case("length %zu, a zero byte appended", length);
    message[length] = 0;
    if (accepts(length + 1, GUARD_ANY, GUARD_BACK)) harness_fail(FORGERY_ACCEPTED, "verify accepts a forgery");
}

#ifdef crypto_auth_INCREMENTAL
static void in_pieces(size_t length, size_t step)
{
    static crypto_auth_state *state, *started;
    uint8_t out[TAG];
    harness_case("length %zu in pieces of %zu", length, step);
    if (!state)
        state = allocate_guarded(crypto_auth_state_size, "state"), started = allocate(crypto_auth_state_size, 0);
    memset(started, 0xa5, crypto_auth_state_size);
    crypto_auth_start(started, key);
    memcpy(state, started, crypto_auth_state_size);
    for (size_t at = 0; at < length; at += step) {
        const size_t piece = length - at < step ? length - at : step;
        crypto_auth_update(state, guarded_copy(&messages, message + at, piece, GUARD_ANY, GUARD_BACK), piece);
        expect_unchanged(&messages, message + at, "piece");
    }
    crypto_auth_end(state, out);
    if (memcmp(out, tag, TAG)) harness_fail(WRONG_OUTPUT, "authenticating in pieces gives a different authenticator");
    crypto_auth_update(started, message, length); /* the copy must not affect the original */
    crypto_auth_end(started, out);
    if (memcmp(out, tag, TAG)) harness_fail(WRONG_OUTPUT, "a copied state is affected by the original");
}
#else
static void in_pieces(size_t length, size_t step)
{
    (void)length, (void)step;
}
#endif

static void pieces(size_t length)
{
    in_pieces(length, 1 + length / 3);
    in_pieces(length, 64);
}

void operation_check(void)
{
    try_authenticators(pieces, forgeries);
}

/* Answers with the message, as `open` of a box does. */
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
    if (!strcmp(verb, "auth")) return answer_authenticator();
    if (!strcmp(verb, "verify")) return answer_verify();
    return -1;
}
