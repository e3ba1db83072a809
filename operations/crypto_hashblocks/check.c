/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The property tests of crypto_hashblocks: whole blocks are processed; one call with many blocks
 * is equivalent to many calls with one; the number of remaining bytes is returned, and they do not
 * matter; every byte of a block and of the state does. */
#include "crypto_hashblocks.h"
#include "checked_call.h"

/* Every call is checked for what it leaves behind. */
#define crypto_hashblocks checked_call(crypto_hashblocks)

#include "check.h"
#include "check_kept.h"

#define STATE crypto_hashblocks_STATEBYTES
#define BLOCK crypto_hashblocks_BLOCKBYTES
#define MAX_LENGTH 8192

static struct guard states, messages;
static uint8_t start[STATE], state[STATE], message[COMPARED_MAX + BLOCK];

void operation_info(void)
{
    record_info("state_bytes", STATE);
    record_info("block_bytes", BLOCK);
}

/* Processes the first `length` bytes of `from`, starting from `start`, into `state`. */
static void process(const uint8_t *from, size_t length, unsigned alignment, enum guard_edge edge)
{
    const uint8_t *in = guarded_copy(&messages, from, length, alignment, edge);
    uint8_t *s =
        guarded_copy_to_change(&states, start, STATE, alignment == GUARD_ANY ? GUARD_ANY : (alignment * 5) % 64, edge);
    const int rest = crypto_hashblocks(s, in, length);
    expect_unchanged(&messages, from, "input");
    guard_check(&states, "state");
    if (rest != (int)(length % BLOCK)) harness_fail(WRONG_OUTPUT, "returns %d as the number of remaining bytes", rest);
    memcpy(state, s, STATE);
}

static void compare(size_t length)
{
    prng_fill(start, STATE);
    process(message, length, GUARD_ANY, alternate_edge(length));
    harness_digest(state, STATE);
}

/* States and blocks of equal bytes. */
static void equal_bytes(void)
{
    static const uint8_t bytes[] = {0, 0xff, 0x80};
    for (size_t i = 0; i < sizeof bytes * sizeof bytes; i++) {
        harness_case("a state of bytes %u, blocks of bytes %u", bytes[i / 3], bytes[i % 3]);
        memset(start, bytes[i / 3], STATE);
        memset(message, bytes[i % 3], 4 * BLOCK);
        process(message, 4 * BLOCK, GUARD_ANY, GUARD_BACK);
        harness_digest(state, STATE);
    }
}

static void block_by_block(size_t length)
{
    uint8_t kept[STATE], whole[STATE];
    memcpy(kept, start, STATE);
    memcpy(whole, state, STATE);
    for (size_t at = 0; at + BLOCK <= length; at += BLOCK) {
        process(message + at, BLOCK, GUARD_ANY, GUARD_BACK);
        memcpy(start, state, STATE);
    }
    if (memcmp(start, whole, STATE)) harness_fail(WRONG_OUTPUT, "differs block by block");
    memcpy(start, kept, STATE);
}

static void must_matter(uint8_t *byte)
{
    uint8_t first[STATE];
    const uint8_t bit = random_bit();
    process(message, BLOCK, GUARD_ANY, GUARD_BACK);
    memcpy(first, state, STATE);
    *byte ^= bit;
    process(message, BLOCK, GUARD_ANY, GUARD_BACK);
    *byte ^= bit;
    if (!memcmp(first, state, STATE)) harness_fail(SAME_OUTPUT, "returns the same state");
}

static void process_similar(void)
{
    memcpy(state, start, STATE);
    (void)crypto_hashblocks(state, message, BLOCK);
}

static void fixed_inputs(void)
{
    memset(start, 0x5c, STATE), memset(message, 0x36, BLOCK);
}

void operation_check(void)
{
    uint8_t first[STATE];
    guard_open(&states, STATE + 64, "state");
    guard_open(&messages, COMPARED_MAX + 64 + BLOCK, "input");
    call_first(fixed_inputs, process_similar, state, STATE);
    equal_bytes();
    prng_fill(message, sizeof message);
    compare_lengths(compare);
    for (size_t length = 0; length <= MAX_LENGTH; length = next_length(length)) {
        harness_case("length %zu", length);
        prng_fill(start, STATE);
        process(message, length, GUARD_ANY, GUARD_BACK);
        memcpy(first, state, STATE);
        if (length < BLOCK && memcmp(start, state, STATE))
            harness_fail(INPUT_MODIFIED, "modifies the state when given no complete block");
        process(message, length, (unsigned)(length * 11 + 1) % 64, GUARD_FRONT);
        if (memcmp(first, state, STATE))
            harness_fail(NOT_DETERMINISTIC, "two calls on the same input return different states");
        block_by_block(length);
    }
    repeat_first_call(repeat_calls);
    EXPECT_NOTHING_KEPT("state", start, STATE, process_similar, state, STATE);
    EXPECT_NOTHING_KEPT("block", message, BLOCK, process_similar, state, STATE);
    if (harness_lenient) return; /* a weak function is still deterministic */
    for (size_t i = 0; i < BLOCK; i++) {
        harness_case("byte %zu of the block changed", i);
        must_matter(message + i);
    }
    for (size_t i = 0; i < STATE; i++) {
        harness_case("byte %zu of the state changed", i);
        must_matter(start + i);
    }
}

int operation_answer(const char *verb)
{
    size_t length;
    if (strcmp(verb, "hashblocks")) return -1;
    memcpy(state, request_exactly(STATE, "state"), STATE);
    const uint8_t *in = request_bytes(&length);
    (void)crypto_hashblocks(state, in, length);
    answer_bytes(state, STATE);
    return 0;
}
