/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The property tests of crypto_hash: the hash depends only on the message, on every byte of it and
 * on its length; nothing is written outside the buffers; hashing in pieces, if offered, gives the
 * same hash. */
#include "crypto_hash.h"
#include "checked_call.h"

/* Every call is checked for what it leaves behind. */
#define crypto_hash checked_call(crypto_hash)
#define crypto_hash_start checked_call(crypto_hash_start)
#define crypto_hash_update checked_call(crypto_hash_update)
#define crypto_hash_end checked_call(crypto_hash_end)

#include "check.h"
#include "check_kept.h"

#define HASH crypto_hash_BYTES
#define MAX_LENGTH 8192
#define FAR 200003

static struct guard messages, hashes;
static uint8_t message[COMPARED_MAX], *hash; /* HASH bytes */

void operation_info(void)
{
    record_info("hash_bytes", HASH);
}

/* Hashes the first `length` bytes of `message` into `hash`. */
static void hash_message(size_t length, unsigned alignment, enum guard_edge edge)
{
    const uint8_t *in = guarded_copy(&messages, message, length, alignment, edge);
    uint8_t *out = guard_place(&hashes, HASH, alignment == GUARD_ANY ? GUARD_ANY : (alignment * 5) % 64, edge);
    memset(out, 0x5a, HASH);
    if (crypto_hash(out, in, length)) harness_fail(CALL_FAILED, "returns an error");
    expect_unchanged(&messages, message, "message");
    guard_check(&hashes, "hash");
    memcpy(hash, out, HASH);
}

/* With canaries before it and a guard page behind it. */
static void open_hash(void)
{
    if (!hash) hash = allocate_guarded(HASH, "hash");
}

static void compare(size_t length)
{
    hash_message(length, GUARD_ANY, alternate_edge(length));
    harness_digest(hash, HASH);
}

static void same_at(size_t length, unsigned alignment, enum guard_edge edge)
{
    uint8_t first[HASH];
    memcpy(first, hash, HASH);
    hash_message(length, alignment, edge);
    if (memcmp(first, hash, HASH)) harness_fail(NOT_DETERMINISTIC, "two calls on one message return different hashes");
}

static void every_byte_matters(size_t length)
{
    uint8_t first[HASH], before[HASH];
    hash_message(length, GUARD_ANY, GUARD_BACK);
    memcpy(first, hash, HASH);
    for (size_t i = 0; i < length; i++) {
        const uint8_t bit = random_bit();
        harness_case("length %zu, byte %zu changed", length, i);
        memcpy(before, hash, HASH);
        message[i] ^= bit;
        hash_message(length, GUARD_ANY, GUARD_BACK);
        message[i] ^= bit;
        if (!memcmp(first, hash, HASH)) harness_fail(SAME_OUTPUT, "returns the same hash");
        if (!memcmp(before, hash, HASH)) harness_fail(SAME_OUTPUT, "returns the hash of the message before");
    }
}

/* Checks that messages of n and n + 1 zero bytes hash differently. */
static void the_length_matters(void)
{
    uint8_t before[HASH];
    memset(message, 0, 600);
    hash_message(0, GUARD_ANY, GUARD_BACK);
    for (size_t length = 1; length <= 600; length++) {
        harness_case("%zu zero bytes", length);
        memcpy(before, hash, HASH);
        hash_message(length, GUARD_ANY, GUARD_BACK);
        if (!memcmp(before, hash, HASH)) harness_fail(WRONG_OUTPUT, "returns the hash of one zero byte fewer");
    }
}

#ifdef crypto_hash_INCREMENTAL
static void in_pieces(size_t length, size_t step)
{
    static crypto_hash_state *state, *copy;
    uint8_t out[HASH];
    harness_case("length %zu in pieces of %zu", length, step);
    if (!state) state = allocate_guarded(crypto_hash_state_size, "state"), copy = allocate(crypto_hash_state_size, 0);
    memset(state, 0xa5, crypto_hash_state_size);
    crypto_hash_start(state);
    for (size_t at = 0; at < length; at += step) {
        const size_t piece = length - at < step ? length - at : step;
        const uint8_t *in = guarded_copy(&messages, message + at, piece, GUARD_ANY, GUARD_BACK);
        crypto_hash_update(state, in, piece);
        expect_unchanged(&messages, message + at, "piece");
        crypto_hash_update(state, message, 0);
        memcpy(copy, state, crypto_hash_state_size); /* continues where the first would */
        memset(state, 0x5a, crypto_hash_state_size);
        memcpy(state, copy, crypto_hash_state_size);
    }
    crypto_hash_end(state, out);
    if (memcmp(out, hash, HASH)) harness_fail(WRONG_OUTPUT, "hashing in pieces gives a different hash");
}

/* Pieces around the sizes of blocks, each after each other one. */
static void odd_pieces(void)
{
    static const uint8_t sizes[] = {0, 1, 3, 55, 56, 63, 64, 65, 72, 111, 112, 127, 128, 129, 136, 144, 192, 255};
    crypto_hash_state *state = allocate(crypto_hash_state_size, 0);
    uint8_t out[HASH];
    for (size_t i = 0; i < sizeof sizes * sizeof sizes; i++) {
        const size_t one = sizes[i / sizeof sizes], other = sizes[i % sizeof sizes], length = 2 * one + other;
        harness_case("pieces of %zu, %zu and %zu", one, other, one);
        hash_message(length, GUARD_ANY, GUARD_BACK);
        crypto_hash_start(state);
        crypto_hash_update(state, message, one);
        crypto_hash_update(state, message + one, other);
        crypto_hash_update(state, message + one + other, one);
        crypto_hash_end(state, out);
        if (memcmp(out, hash, HASH)) harness_fail(WRONG_OUTPUT, "hashing in pieces gives a different hash");
    }
}
#else
static void in_pieces(size_t length, size_t step)
{
    (void)length, (void)step;
}

static void odd_pieces(void)
{
}
#endif

#ifdef crypto_hash_INCREMENTAL
/* Checks that the state is all that is kept of a message: another one is hashed between its pieces. */
static void two_messages(void)
{
    crypto_hash_state *state = allocate(crypto_hash_state_size, 0), *between = allocate(crypto_hash_state_size, 0);
    uint8_t out[HASH];
    harness_case("two messages at once");
    hash_message(200, GUARD_ANY, GUARD_BACK);
    crypto_hash_start(state);
    crypto_hash_update(state, message, 100);
    crypto_hash_start(between);
    crypto_hash_update(between, message, 70);
    crypto_hash_update(state, message + 100, 100);
    crypto_hash_end(between, out);
    crypto_hash_end(state, out);
    if (memcmp(out, hash, HASH)) harness_fail(WRONG_OUTPUT, "a hash depends on another message that is hashed between");
}
#else
static void two_messages(void)
{
}
#endif

static void hash_short(void)
{
    if (crypto_hash(hash, message, 64)) harness_fail(CALL_FAILED, "returns an error");
}

static void hash_packet(void)
{
    if (crypto_hash(hash, message, 576)) harness_fail(CALL_FAILED, "returns an error");
}

static void fixed_message(void)
{
    memset(message, 0x36, 64);
}

static void similar_messages(void)
{
    EXPECT_NOTHING_KEPT("message of 64 bytes", message, 64, hash_short, hash, HASH);
    EXPECT_NOTHING_KEPT("message of 576 bytes", message, 576, hash_packet, hash, HASH);
}

void operation_check(void)
{
    open_hash();
    guard_open(&messages, COMPARED_MAX + 64, "message");
    guard_open(&hashes, HASH + 64, "hash");
    call_first(fixed_message, hash_short, hash, HASH);
    compare_equal_bytes(message, compare);
    prng_fill(message, COMPARED_MAX);
    compare_lengths(compare);
    for (size_t length = 0; length <= MAX_LENGTH; length = next_length(length)) {
        harness_case("length %zu", length);
        hash_message(length, GUARD_ANY, GUARD_BACK);
        same_at(length, (unsigned)(length * 11 + 1) % 64, GUARD_FRONT);
        in_pieces(length, 1 + length / 3);
        in_pieces(length, 64);
    }
    for (unsigned alignment = 0; alignment < 64; alignment++) {
        harness_case("alignment %u", alignment);
        hash_message(600, GUARD_ANY, GUARD_BACK);
        same_at(600, alignment, alternate_edge(alignment));
    }
    static const size_t far[] = {16384, 65536, 131071, FAR};
    for (size_t i = 0; i < sizeof far / sizeof far[0]; i++) {
        harness_case("length %zu", far[i]);
        hash_message(far[i], GUARD_ANY, GUARD_BACK);
        in_pieces(far[i], 4099);
    }
    two_messages();
    odd_pieces();
    repeat_first_call(repeat_calls);
    similar_messages();
    if (harness_lenient) return; /* a weak hash is still deterministic */
    every_byte_matters(40);
    every_byte_matters(700);
    the_length_matters();
}

int operation_answer(const char *verb)
{
    size_t length;
    if (strcmp(verb, "hash")) return -1;
    const uint8_t *in = request_bytes(&length);
    open_hash();
    if (!answer_failure(crypto_hash(hash, in, length))) answer_bytes(hash, HASH);
    return 0;
}
