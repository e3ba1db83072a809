/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The property tests of crypto_stream: the keystream depends only on key and nonce, not on `soon`,
 * the length, the alignment, or the former contents of the state; no byte is written outside the
 * buffers. */
#include "crypto_stream.h"
#include "checked_call.h"

/* Every call is checked for what it leaves behind. */
#define crypto_stream_expandkey checked_call(crypto_stream_expandkey)
#define crypto_stream_start checked_call(crypto_stream_start)
#define crypto_stream_xor checked_call(crypto_stream_xor)

#include "check.h"
#include "check_kept.h"
#include "influence.h"

#define FIRST crypto_stream_FIRSTBYTES
#define MAX_LENGTH 8192

static struct guard keys, nonces, firsts, ins, outs;
static crypto_stream_key *expanded, *kept;
static crypto_stream_state *state;
static uint8_t *key, *nonce; /* crypto_stream_KEYBYTES and crypto_stream_NONCEBYTES bytes */
static uint8_t whole[FIRST + COMPARED_MAX], in[COMPARED_MAX];

void operation_info(void)
{
    record_info("expanded_key_bytes", crypto_stream_key_size);
    record_info("state_bytes", crypto_stream_state_size);
}

static void open_all(void)
{
    expanded = allocate_guarded(crypto_stream_key_size, "expanded key");
    kept = allocate(crypto_stream_key_size, 0);
    state = allocate_guarded(crypto_stream_state_size, "state");
    key = allocate(crypto_stream_KEYBYTES, 0);
    nonce = allocate(crypto_stream_NONCEBYTES, 0);
    guard_open(&keys, crypto_stream_KEYBYTES, "key");
    guard_open(&nonces, crypto_stream_NONCEBYTES, "nonce");
    guard_open(&firsts, FIRST, "first bytes");
    guard_open(&ins, COMPARED_MAX + 64, "input");
    guard_open(&outs, COMPARED_MAX + 64, "output");
}

static void expand_key(void)
{
    const uint8_t *copy = guarded_copy(&keys, key, crypto_stream_KEYBYTES, GUARD_ANY, next_edge());
    memset(expanded, 0xa5, crypto_stream_key_size); /* expandkey must not rely on zeroed memory */
    crypto_stream_expandkey(expanded, copy);
    guard_check(&keys, "key");
    if (memcmp(copy, key, crypto_stream_KEYBYTES)) harness_fail(INPUT_MODIFIED, "modifies the key");
    memcpy(kept, expanded, crypto_stream_key_size);
}

static void new_key(void)
{
    prng_fill(key, crypto_stream_KEYBYTES);
    expand_key();
}

/* start, then xor of `length` bytes, with every buffer guarded. Compares the keystream with
 * `whole` if `compare` is set, otherwise stores it there. */
static void keystream(size_t length, uint64_t soon, unsigned alignment, enum guard_edge edge, int compare)
{
    const uint8_t *n = guarded_copy(&nonces, nonce, crypto_stream_NONCEBYTES, GUARD_ANY, next_edge());
    uint8_t *first = guard_place(&firsts, FIRST, GUARD_ANY, next_edge());
    const uint8_t *from = guarded_copy(&ins, in, length, alignment, edge);
    uint8_t *to = guard_place(&outs, length, (alignment * 5) % GUARD_ANY, edge);
    memset(state, alignment & 1 ? 0xff : 0x33, crypto_stream_state_size);
    crypto_stream_start(state, first, n, expanded, soon);
    crypto_stream_xor(state, to, from, length);
    guard_check(&nonces, "nonce");
    guard_check(&firsts, "first bytes");
    guard_check(&ins, "input");
    guard_check(&outs, "output");
    if (memcmp(n, nonce, crypto_stream_NONCEBYTES)) harness_fail(INPUT_MODIFIED, "modifies the nonce");
    if (memcmp(from, in, length)) harness_fail(INPUT_MODIFIED, "modifies its input");
    if (memcmp(kept, expanded, crypto_stream_key_size)) harness_fail(INPUT_MODIFIED, "modifies the expanded key");
    xor_in_words(to, in, length);
    if (compare && (memcmp(whole, first, FIRST) || memcmp(whole + FIRST, to, length)))
        harness_fail(WRONG_OUTPUT, "keystream differs");
    memcpy(whole, first, FIRST);
    memcpy(whole + FIRST, to, length);
}

static void in_place(size_t length, uint64_t soon)
{
    uint8_t first[FIRST];
    uint8_t *both = guard_place(&outs, length, GUARD_ANY, GUARD_BACK);
    memset(both, 0, length);
    crypto_stream_start(state, first, nonce, expanded, soon);
    crypto_stream_xor(state, both, both, length);
    guard_check(&outs, "output");
    if (memcmp(whole, first, FIRST) || memcmp(whole + FIRST, both, length))
        harness_fail(WRONG_OUTPUT, "keystream differs in place");
}

static void short_keystream(void)
{
    expand_key();
    keystream(64, 64, 0, GUARD_BACK, 0);
}

/* Another key, or another nonce, gives another keystream, whichever bit it differs in. */
static void influence(uint8_t *input, size_t length, const char *name)
{
    static const struct influenced output = {"keystream", whole, FIRST + 64, short_keystream};
    uint8_t before[FIRST + 64];
    if (!length) return;
    harness_case("another %s", name);
    memcpy(before, whole, sizeof before);
    for (size_t i = 0; i < length; i++) input[i] = (uint8_t)~input[i];
    short_keystream();
    if (!memcmp(before, whole, sizeof before)) harness_fail(WRONG_OUTPUT, "the %s has no influence", name);
    expect_influence(input, length, name, &output);
}

/* Keys and nonces that differ in one bit: code that keeps what it computed must not take one for the other. */
static void similar_inputs(void)
{
    prng_fill(nonce, crypto_stream_NONCEBYTES);
    for (size_t i = 0; i < crypto_stream_KEYBYTES + crypto_stream_NONCEBYTES; i++) {
        const size_t at = i < crypto_stream_KEYBYTES ? i : i - crypto_stream_KEYBYTES;
        harness_case("a %s that differs in byte %zu", i < crypto_stream_KEYBYTES ? "key" : "nonce", at);
        *(i < crypto_stream_KEYBYTES ? key + at : nonce + at) ^= random_bit();
        expand_key();
        keystream(64, 64, 0, GUARD_BACK, 0);
        harness_digest(whole, FIRST + 64);
    }
    influence(key, crypto_stream_KEYBYTES, "key");
    influence(nonce, crypto_stream_NONCEBYTES, "nonce");
}

/* Counters that overflow within the stream. */
static void overflows(void)
{
    new_key();
    for (size_t i = 0; i <= 2 * crypto_stream_NONCEBYTES; i++) {
        harness_case("nonce %zu of those from which a counter overflows", i);
        fill_to_overflow(nonce, crypto_stream_NONCEBYTES, i);
        memset(in, i % 2 ? 0xff : 0, 600);
        keystream(600, 600, 0, GUARD_BACK, 0);
        harness_digest(whole, FIRST + 600);
    }
    for (int byte = 0; byte <= 255; byte += 255) {
        harness_case("a key of bytes %d", byte);
        memset(key, byte, crypto_stream_KEYBYTES);
        expand_key();
        keystream(600, 600, 0, GUARD_BACK, 0);
        harness_digest(whole, FIRST + 600);
    }
}

static void compare(size_t length)
{
    if (length % 8 < 2) new_key(); /* lengths of the same parity follow each other */
    prng_fill(nonce, crypto_stream_NONCEBYTES);
    keystream(length, length, (unsigned)length % 64, alternate_edge(length), 0);
    harness_digest(whole, FIRST + length);
}

/* Checks that key and state are all that is kept: another key is expanded, and another stream is read between. */
static void two_at_once(void)
{
    static crypto_stream_key *other;
    static crypto_stream_state *between;
    static uint8_t out[600];
    uint8_t first[FIRST], second[crypto_stream_KEYBYTES + 1];
    harness_case("two keys in use");
    if (!other) other = allocate(crypto_stream_key_size, 0), between = allocate(crypto_stream_state_size, 0);
    prng_fill(nonce, crypto_stream_NONCEBYTES);
    keystream(sizeof out, sizeof out, 0, GUARD_BACK, 0);
    prng_fill(second, crypto_stream_KEYBYTES);
    crypto_stream_expandkey(other, second);
    keystream(sizeof out, sizeof out, 0, GUARD_BACK, 1);
    harness_case("two streams in use");
    crypto_stream_start(state, first, nonce, expanded, sizeof out);
    crypto_stream_start(between, first, nonce, other, sizeof out);
    crypto_stream_xor(between, out, in, sizeof out);
    crypto_stream_xor(state, out, in, sizeof out);
    xor_in_words(out, in, sizeof out);
    if (memcmp(whole + FIRST, out, sizeof out)) harness_fail(WRONG_OUTPUT, "a stream depends on another one");
}

static void stream_similar(void)
{
    expand_key();
    keystream(64, 64, 0, GUARD_BACK, 0);
}

static void stream_short(void)
{
    crypto_stream_start(state, whole, nonce, expanded, 64);
    crypto_stream_xor(state, whole + FIRST, in, 64);
}

static void fixed_inputs(void)
{
    memset(key, 0x5c, crypto_stream_KEYBYTES), memset(nonce, 1, crypto_stream_NONCEBYTES), memset(in, 0, 64);
    expand_key();
}

static void similar_streams(void)
{
    EXPECT_NOTHING_KEPT("key", key, crypto_stream_KEYBYTES, stream_similar, whole, FIRST + 64);
    EXPECT_NOTHING_KEPT("nonce", nonce, crypto_stream_NONCEBYTES, stream_similar, whole, FIRST + 64);
}

void operation_check(void)
{
    open_all();
    call_first(fixed_inputs, stream_short, whole, FIRST + 64);
    new_key();
    similar_inputs(); /* before compare_lengths, because implementations get through more or fewer of its lengths */
    overflows();
    compare_lengths(compare);
    two_at_once();
    for (int turn = 0; turn < 3; turn++) {
        harness_case("key and nonce %d", turn);
        new_key();
        prng_fill(nonce, crypto_stream_NONCEBYTES);
        prng_fill(in, MAX_LENGTH);
        keystream(MAX_LENGTH, MAX_LENGTH, 0, GUARD_BACK, 0);
        /* Tries every short length once, but changes the key only for some, because key set-up is slow for some ciphers. */
        const size_t step = turn == 0 ? 1 : 7;
        for (size_t length = 0; length <= MAX_LENGTH; length += length < 300 ? step : 1 + length / 3) {
            const uint64_t soons[] = {0, length, length / 2, 40, UINT64_C(1) << 40};
            for (unsigned i = 0; i < 5; i++) {
                harness_case("length %zu with soon = %llu", length, (unsigned long long)soons[i]);
                keystream(length, soons[i], (unsigned)(length + i) % 64, i % 2 ? GUARD_BACK : GUARD_FRONT, 1);
            }
            harness_case("length %zu in place", length);
            in_place(length, length);
        }
        for (unsigned alignment = 0; alignment < 64; alignment++) {
            harness_case("alignment %u", alignment);
            keystream(600, 600, alignment, GUARD_BACK, 1);
        }
    }
    repeat_first_call(repeat_calls);
    similar_streams();
}

int operation_answer(const char *verb)
{
    if (strcmp(verb, "keystream")) return -1;
    const uint8_t *k = request_exactly(crypto_stream_KEYBYTES, "key");
    const uint8_t *n = request_exactly(crypto_stream_NONCEBYTES, "nonce");
    const size_t length = (size_t)request_number();
    const size_t rest = length > FIRST ? length - FIRST : 0;
    uint8_t *out = allocate(FIRST + rest, 0);
    if (!expanded) open_all();
    crypto_stream_expandkey(expanded, k);
    crypto_stream_start(state, out, n, expanded, rest);
    crypto_stream_xor(state, out + FIRST, out + FIRST, rest);
    answer_bytes(out, length);
    return 0;
}
