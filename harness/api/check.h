/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CHECK_H
#define CHECK_H

/* Helpers for property tests (the check.c of an operation). */

#include <inttypes.h>
#include <string.h>

#include "checked_call.h"
#include "harness.h"

/* Places a copy of `bytes` for a function that may change it, and returns its address. */
static inline uint8_t *guarded_copy_to_change(struct guard *guard, const void *bytes, size_t length, unsigned alignment,
                                              enum guard_edge edge)
{
    uint8_t *copy = guard_place(guard, length, alignment, edge);
    if (length) memcpy(copy, bytes, length);
    return copy;
}

/* Fails if the call under test wrote outside the guarded copy or changed it. */
static inline void expect_unchanged(struct guard *guard, const void *bytes, const char *name)
{
    guard_check(guard, name);
    if (guard->length && memcmp(guard->data, bytes, guard->length))
        harness_fail(INPUT_MODIFIED, "modifies its input: %s", name);
}

/* A number that differs for different strings of one length, to compare them without keeping them (FNV-1a). */
static inline uint64_t sum_of_bytes(const uint8_t *bytes, size_t length)
{
    uint64_t sum = 1;
    for (size_t i = 0; i < length; i++) sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
    return sum;
}

/* out[i] ^= in[i]; in words, because checks are compiled without optimisation. */
static inline void xor_in_words(uint8_t *out, const uint8_t *in, size_t length)
{
    size_t i = 0;
    for (uint64_t a, b; i + sizeof a <= length; i += sizeof a) {
        memcpy(&a, out + i, sizeof a);
        memcpy(&b, in + i, sizeof b);
        a ^= b;
        memcpy(out + i, &a, sizeof a);
    }
    for (; i < length; i++) out[i] ^= in[i];
}

/* Lengths that are tried whatever the step: implementations treat whole numbers of blocks differently. */
static const uint16_t usual_lengths[] = {512, 576, 1000, 1024, 1500, 1536, 2048, 4096, 8192};

/* The length to try after `length`: every length up to 300, then in growing steps. */
static inline size_t next_length(size_t length)
{
    const size_t next = length + (length < 300 ? 1 : 1 + length / 6);
    for (size_t i = 0; i < sizeof usual_lengths / sizeof usual_lengths[0]; i++)
        if (usual_lengths[i] > length && usual_lengths[i] < next) return usual_lengths[i];
    return next;
}

/* Returns what a function says about a packet or an authenticator: 0, or -1 for a forgery. Callers may test for -1. */
static inline int verdict(int result)
{
    if (result != 0 && result != -1 && !harness_lenient)
        harness_fail(RETURN_VALUE, "returns %d, which is neither 0 nor -1", result);
    return result;
}

/* After a forgery, the `length` bytes that were `untouched` before must be so still, or 0. */
static inline void expect_not_released(const uint8_t *plaintext, size_t length, uint8_t untouched)
{
    for (size_t i = 0; i < length && !harness_lenient; i++)
        if (plaintext[i] != untouched && plaintext[i] != 0)
            harness_fail(SECRET_EXPOSED, "releases plaintext of a forgery (byte %zu)", i);
}

#define REPEATED_CALLS 10000
#define REPEATED_SECONDS 0.03 /* CPU time */
#define CYCLES 160
#define CYCLES_SECONDS 0.02

#define SETTLED_CALLS 64    /* after them a library has allocated what it keeps */
#define LEAKED_HEAP 8       /* bytes for each further call, */
#define LEAKED_IN_CYCLE 40  /* or for each further cycle: numbers of other sizes may take some more */
#define LEAKED_MAPPED 65536 /* bytes in all */

/* Calls `again` at most `most` times while time is left, and fails if that leaves memory in use. */
static inline void repeat_at_most(void (*again)(void), unsigned most, double seconds)
{
    int64_t heap = 0, mapped = 0;
    unsigned i;
    cpu_budget_start(seconds);
    for (i = 0; i < most && ((i % 16 && most > CYCLES) || cpu_budget_left()); i++) {
        harness_case("repeated call %u", i);
        if (i == SETTLED_CALLS) heap = memory_heap(), mapped = memory_mapped();
        again();
    }
    if (i < 2 * SETTLED_CALLS) return;
    heap = memory_heap() - heap, mapped = memory_mapped() - mapped;
    if (heap > (i - SETTLED_CALLS) * (most > CYCLES ? LEAKED_HEAP : LEAKED_IN_CYCLE))
        harness_fail(SIDE_EFFECT, "leaves memory allocated: %" PRId64 " bytes after %u calls", heap, i - SETTLED_CALLS);
    if (mapped > LEAKED_MAPPED)
        harness_fail(SIDE_EFFECT, "leaves memory mapped: %" PRId64 " bytes after %u calls", mapped, i - SETTLED_CALLS);
}

/* Calls `again`, which compares the result of one call with the first one's, for what changes after many calls. */
static inline void repeat_calls(void (*again)(void))
{
    repeat_at_most(again, REPEATED_CALLS, REPEATED_SECONDS);
}

/* Calls `cycle`, all functions of an operation one after the other, for memory that one of them leaves in use. */
static inline void repeat_cycle(void (*cycle)(void))
{
    repeat_at_most(cycle, CYCLES, CYCLES_SECONDS);
}

/* ---- comparing implementations ---------------------------------------------- */

#define COMPARED_SHORT 1100     /* every length up to this one is compared, */
#define COMPARED_LONG 8192      /* some up to this one; if the primitive is fast, every one, */
#define COMPARED_MAX 2097185    /* and some up to this one */
#define COMPARED_SECONDS 0.05   /* CPU time for the lengths that only fast primitives get through */

#define COMPARED_SHORT_SECONDS 0.1 /* CPU time for what `compare` does with short lengths beyond the comparison */

/* Lengths beyond COMPARED_SHORT: those of the profiles' grids, and the neighbours of powers of two. */
static const uint16_t some_lengths[] = {
    1151, 1152, 1279, 1280, 1281, 1408, 1499, 1500, 1501, 1535, 1536, 1537, 1999, 2047,  2048,
    2049, 2176, 2560, 3000, 3333, 4095, 4096, 4097, 5000, 6001, 7777, 8191, 8192, 12345, 40009,
};
static const uint32_t far_lengths[] = {
    131071, 65536, 65535, 16384, COMPARED_MAX, 1048576, 8193, 16385, 32767, 96397, 200003, 262145, 524288,
};
#define FAR_LENGTH 65625 /* compared however slow the primitive is: counters of 16 bits have overflowed */

#define STACK_PLACES 251 /* of 16 bytes, in all of which a call of one of so many lengths begins */

/* In a frame of its own, so that the stack is as before when it returns. */
__attribute__((noinline)) static void call_deeper(void (*compare)(size_t length), size_t length)
{
    uint8_t room[16 * (1 + length % STACK_PLACES)];
    __asm__ volatile("" : : "r"(room) : "memory");
    compare(length);
}

static inline void compare_length(void (*compare)(size_t length), size_t length)
{
    harness_case("length %zu", length);
    call_deeper(compare, length);
}

/* Compares lengths while time is left: every one between COMPARED_SHORT and COMPARED_LONG, a far one after each fifty of
 * them. The order is the same for all implementations, because their outputs are compared as far as all of them
 * get; it jumps, so that a slow one gets to lengths of all sizes. */
static inline void compare_more_lengths(void (*compare)(size_t length))
{
    const size_t count = COMPARED_LONG - COMPARED_SHORT, step = 4385, far = sizeof far_lengths / sizeof far_lengths[0];
    cpu_budget_start_lengths(COMPARED_SECONDS);
    for (size_t i = 0; i < count && cpu_budget_left(); i++) { /* step has no divisor in common with count */
        if (i % 50 == 0 && i / 50 < far) compare_length(compare, far_lengths[i / 50]);
        compare_length(compare, COMPARED_SHORT + 1 + i * step % count);
    }
}

/* Calls `compare`, which calls harness_digest, with the lengths at which the implementations of a primitive are
 * compared. Call it first: its inputs are then the same whatever is tested. */
static inline void compare_lengths(void (*compare)(size_t length))
{
    const uint64_t seed = prng_word();
    compare_length(compare, FAR_LENGTH);
    cpu_budget_start(COMPARED_SHORT_SECONDS);
    /* Even lengths upwards, then odd ones downwards: a call must not depend on a longer one before it. */
    for (size_t i = 0; i <= COMPARED_SHORT; i++)
        compare_length(compare, 2 * i <= COMPARED_SHORT ? 2 * i : 2 * (COMPARED_SHORT - i) + 1);
    cpu_budget_start(COMPARED_SECONDS);
    for (size_t i = 0; i < sizeof some_lengths / sizeof some_lengths[0]; i++) compare_length(compare, some_lengths[i]);
    compare_more_lengths(compare);
    prng_seed(seed);
}

/* Calls `compare` with messages of equal bytes, which random ones never are: `message` is overwritten. Call
 * it before compare_lengths, of which slow implementations leave out some. */
static inline void compare_equal_bytes(uint8_t *message, void (*compare)(size_t length))
{
    static const uint16_t lengths[] = {1, 16, 55, 56, 63, 64, 65, 100, 111, 112, 127, 128, 129, 136, 256, 576, 1500};
    static const uint8_t bytes[] = {0, 0xff, 1, 0x80};
    for (size_t i = 0; i < sizeof bytes * sizeof lengths / sizeof lengths[0]; i++) {
        const uint16_t length = lengths[i / sizeof bytes];
        harness_case("%" PRIu16 " bytes of %u", length, bytes[i % sizeof bytes]);
        memset(message, bytes[i % sizeof bytes], length);
        compare(length);
    }
}

/* The values of a nonce, `2 * length + 1` of them, from which a counter in it overflows, whatever its size and byte
 * order: more and more bytes of 255 at the end and, if `number` is odd, at the front. The first one is 0. */
static inline void fill_to_overflow(uint8_t *nonce, size_t length, size_t number)
{
    const size_t ones = (number + 1) / 2;
    prng_fill(nonce, length);
    if (!number) memset(nonce, 0, length);
    memset(number % 2 ? nonce : nonce + length - ones, 0xff, ones);
}

/* A byte in which one bit, chosen at random, is set. */
static inline uint8_t random_bit(void)
{
    return (uint8_t)(1u << (prng_word() % 8));
}

/* GUARD_FRONT for one number in four, else GUARD_BACK: code reads beyond an end more often than before a beginning.
 * Among lengths, not always the same modulo a block. */
static inline enum guard_edge alternate_edge(size_t number)
{
    return (number ^ number >> 6) % 4 == 1 ? GUARD_FRONT : GUARD_BACK;
}

/* The edge for the next placement of a key, a nonce or the like, whose length never changes: irregular, so that the
 * same call does not always have the same one. */
static inline enum guard_edge next_edge(void)
{
    static uint32_t placements;
    return (++placements * UINT32_C(2654435769)) >> 30 ? GUARD_BACK : GUARD_FRONT;
}

/* Two bytes of a string, different ones unless it has a single byte, and what they were. */
struct changed_pair {
    uint8_t *one, *other, was_one, was_other;
};

/* Changes a string so that two differences cancel for code that adds them up, or that does not see where they are.
 * Numbers that follow each other try all kinds of change, at distances of 1, 2, 4, 8 and 16 bytes. */
#define CANCELLING_CHANGES 60
static inline struct changed_pair change_together(uint8_t *bytes, size_t count, unsigned number)
{
    const size_t distance = ((size_t)1 << number / 3 % 5) % count, at = (size_t)(prng_word() % count);
    uint8_t *one = bytes + at, *other = bytes + (at + (distance ? distance : 1)) % count;
    const struct changed_pair pair = {one, other, *one, *other};
    const uint8_t change = (uint8_t)(1 + prng_word() % 255);
    if (number % 3 == 0 && pair.was_one != pair.was_other)
        *one = pair.was_other, *other = pair.was_one;
    else if (number % 3 == 1)
        *one = (uint8_t)(*one + change), *other = (uint8_t)(*other - change);
    else
        *one ^= change, *other ^= change;
    return pair;
}

static inline void change_back(const struct changed_pair *pair)
{
    *pair->one = pair->was_one;
    *pair->other = pair->was_other;
}

#define FEW_SECONDS 0.005 /* CPU time for cases that are no more than a precaution */

#endif
