/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The property tests of a foreign crypto_stream: the keystream depends only on key and nonce, not
 * on length or alignment; a shorter keystream is a prefix of a longer one; nothing is written
 * outside the buffers. */
#include "crypto_stream.h"
#include "checked_call.h"

/* Every call is checked for what it leaves behind. */
#define crypto_stream checked_call(crypto_stream)
#define crypto_stream_xor checked_call(crypto_stream_xor)

#include "check.h"
#include "influence.h"

#define KEY crypto_stream_KEYBYTES
#define NONCE crypto_stream_NONCEBYTES
#define MAX_LENGTH 8192
#define SHORT 64 /* that two keystreams of as many bytes are the same is no chance */

static struct guard keys, nonces, ins, outs;
static uint8_t key[KEY + 1], nonce[NONCE + 1], in[COMPARED_MAX], whole[MAX_LENGTH], again[COMPARED_MAX];

void operation_info(void)
{
    record_info("key_bytes", KEY);
    record_info("nonce_bytes", NONCE);
}

static void place_inputs(enum guard_edge edge)
{
    (void)guarded_copy(&keys, key, KEY, GUARD_ANY, edge);
    (void)guarded_copy(&nonces, nonce, NONCE, GUARD_ANY, edge);
}

static void check_inputs(void)
{
    expect_unchanged(&keys, key, "key");
    expect_unchanged(&nonces, nonce, "nonce");
    guard_check(&outs, "output");
}

static void stream(uint8_t *to, size_t length, unsigned alignment, enum guard_edge edge)
{
    uint8_t *out = guard_place(&outs, length, alignment, edge);
    memset(out, 0x5a, length);
    place_inputs(edge);
    if (crypto_stream(out, length, nonces.input, keys.input)) harness_fail(CALL_FAILED, "returns an error");
    check_inputs();
    memcpy(to, out, length);
}

static void xored(uint8_t *to, size_t length, unsigned alignment, enum guard_edge edge)
{
    const uint8_t *from = guarded_copy(&ins, in, length, alignment, edge);
    uint8_t *out = guard_place(&outs, length, alignment == GUARD_ANY ? GUARD_ANY : (alignment * 5) % 64, edge);
    memset(out, 0x5a, length);
    place_inputs(edge);
    if (crypto_stream_xor(out, from, length, nonces.input, keys.input))
        harness_fail(CALL_FAILED, "xor returns an error");
    check_inputs();
    expect_unchanged(&ins, in, "input");
    memcpy(to, out, length);
    xor_in_words(to, in, length);
}

static void in_place(size_t length)
{
    uint8_t *both = guarded_copy_to_change(&outs, in, length, GUARD_ANY, GUARD_BACK);
    place_inputs(GUARD_BACK);
    if (crypto_stream_xor(both, both, length, nonces.input, keys.input))
        harness_fail(CALL_FAILED, "xor returns an error in place");
    check_inputs();
    for (size_t i = 0; i < length; i++)
        if ((both[i] ^ in[i]) != again[i]) harness_fail(WRONG_OUTPUT, "xor differs in place");
}

/* Computes the keystream of that length in every way. That it is a prefix of the longest one holds
 * for every stream cipher, but foreign APIs do not promise it. */
static void try_length(size_t length, unsigned alignment, enum guard_edge edge)
{
    static uint8_t other[MAX_LENGTH];
    stream(again, length, alignment, edge);
    if (!harness_lenient && memcmp(whole, again, length))
        harness_fail(WRONG_OUTPUT, "the keystream is not a prefix of the longer one");
    xored(other, length, alignment, edge);
    if (memcmp(other, again, length)) harness_fail(WRONG_OUTPUT, "xor uses a different keystream");
    in_place(length);
}

static void compare(size_t length)
{
    static uint8_t plain[COMPARED_MAX];
    prng_fill(nonce, NONCE);
    xored(again, length, GUARD_ANY, alternate_edge(length));
    harness_digest(again, length);
    if (!cpu_budget_left()) return;
    stream(plain, length, GUARD_ANY, alternate_edge(length));
    if (memcmp(plain, again, length)) harness_fail(WRONG_OUTPUT, "xor uses a different keystream");
}

/* Counters that overflow within the stream. Before compare_lengths, because implementations get through more or fewer
 * of its lengths. */
static void overflows(void)
{
    for (size_t i = 0; i <= 2 * NONCE && !harness_lenient; i++) {
        harness_case("nonce %zu of those from which a counter overflows", i);
        fill_to_overflow(nonce, NONCE, i);
        xored(again, 600, GUARD_ANY, GUARD_BACK);
        harness_digest(again, 600);
    }
}

static void new_key(void)
{
    prng_fill(key, KEY);
    prng_fill(nonce, NONCE);
    prng_fill(in, MAX_LENGTH);
    stream(whole, MAX_LENGTH, GUARD_ANY, GUARD_BACK);
}

static void short_stream(void)
{
    stream(again, SHORT, GUARD_ANY, GUARD_BACK);
}

/* Another key, or another nonce, gives another keystream, whichever bit it differs in. */
static void influence(uint8_t *input, size_t length, const char *name)
{
    static const struct influenced output = {"keystream", again, SHORT, short_stream};
    if (!length) return;
    harness_case("another %s", name);
    for (size_t i = 0; i < length; i++) input[i] = (uint8_t)~input[i];
    stream(again, MAX_LENGTH, GUARD_ANY, GUARD_BACK);
    for (size_t i = 0; i < length; i++) input[i] = (uint8_t)~input[i];
    if (!memcmp(whole, again, MAX_LENGTH)) harness_fail(WRONG_OUTPUT, "the %s has no influence", name);
    expect_influence(input, length, name, &output);
}

void operation_check(void)
{
    guard_open(&keys, KEY, "key");
    guard_open(&nonces, NONCE, "nonce");
    guard_open(&ins, COMPARED_MAX + 64, "input");
    guard_open(&outs, COMPARED_MAX + 64, "output");
    prng_fill(key, KEY);
    overflows();
    compare_lengths(compare);
    for (unsigned turn = 0; turn < 3; turn++) {
        harness_case("key and nonce %u", turn);
        new_key();
        influence(key, KEY, "key");
        influence(nonce, NONCE, "nonce");
        harness_case("key and nonce %u", turn);
        for (size_t length = turn; length <= MAX_LENGTH;
             length += turn ? 1 + length / 3 : next_length(length) - length) {
            harness_case("length %zu", length);
            try_length(length, GUARD_ANY, alternate_edge(length));
        }
        for (unsigned alignment = 0; alignment < 64; alignment++) {
            harness_case("alignment %u", alignment);
            try_length(600, alignment, alternate_edge(alignment));
        }
    }
}

int operation_answer(const char *verb)
{
    if (strcmp(verb, "keystream")) return -1;
    const uint8_t *k = request_exactly(KEY, "key"), *n = request_exactly(NONCE, "nonce");
    const size_t length = (size_t)request_number();
    uint8_t *out = allocate(length, 0);
    if (!answer_failure(crypto_stream(out, length, n, k))) answer_bytes(out, length);
    return 0;
}
