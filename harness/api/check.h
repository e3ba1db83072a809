/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CHECK_H
#define CHECK_H

/* Helpers for property tests (the check.c of an operation). */

#include <inttypes.h>
#include <malloc.h>
#include <string.h>

#include "checked_call.h"
#include "harness.h"

/* Returns the bytes that malloc has given out and not got back; 0 where the C library does not tell (musl). */
static inline size_t heap_in_use(void)
{
#ifdef __GLIBC__
    return mallinfo2().uordblks;
#else
    return 0;
#endif
}

/* Places a copy of `bytes` for a function that may change it, and returns its address. */
static inline uint8_t *guarded_copy_to_change(struct guard *guard, const void *bytes, size_t length, unsigned alignment,
                                              enum guard_edge edge)
{
    uint8_t *copy = guard_place(guard, length, alignment, edge);
    if (length) memcpy(copy, bytes, length);
    return copy;
}

/* Fails if the call under test wrote outside the guarded copy or changed it. */
static inline void expect_unchanged(const struct guard *guard, const void *bytes, const char *name)
{
    guard_check(guard, name);
    if (guard->length && memcmp(guard->data, bytes, guard->length))
        harness_fail(INPUT_MODIFIED, "modifies its input: %s", name);
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
        harness_fail(WRONG_OUTPUT, "returns %d, which is neither 0 nor -1", result);
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

#define SETTLED_CALLS 64 /* after them a library has allocated what it keeps */
#define LEAKED_HEAP 8    /* bytes for each further call */

/* Calls `again`, which compares the result of one call with the first one's, for what changes after many calls. */
static inline void repeat_calls(void (*again)(void))
{
    size_t heap = 0;
    unsigned i;
    cpu_budget_start(REPEATED_SECONDS);
    for (i = 0; i < REPEATED_CALLS && (i % 16 || cpu_budget_left()); i++) {
        harness_case("repeated call %u", i);
        if (i == SETTLED_CALLS) heap = heap_in_use();
        again();
    }
    const size_t now = heap_in_use();
    if (i >= 2 * SETTLED_CALLS && now > heap + (i - SETTLED_CALLS) * LEAKED_HEAP)
        harness_fail(SIDE_EFFECT, "leaves memory allocated: %zu bytes after %u calls", now - heap, i - SETTLED_CALLS);
}

/* ---- comparing implementations ---------------------------------------------- */

#define COMPARED_SHORT 1100     /* every length up to this one is compared, */
#define COMPARED_LONG 8192      /* some up to this one; if the primitive is fast, every one, */
#define COMPARED_MAX 1048576    /* and some up to this one */
#define COMPARED_SECONDS 0.05   /* CPU time for the lengths that only fast primitives get through */

#define COMPARED_SHORT_SECONDS 0.1 /* CPU time for what `compare` does with short lengths beyond the comparison */

/* Lengths beyond COMPARED_SHORT: those of the profiles' grids, and the neighbours of powers of two. */
static const uint16_t some_lengths[] = {
    1151, 1152, 1279, 1280, 1281, 1408, 1499, 1500, 1501, 1535, 1536, 1537, 1999, 2047,
    2048, 2049, 2176, 2560, 3000, 3333, 4095, 4096, 4097, 5000, 6001, 7777, 8191, 8192,
};
static const uint32_t far_lengths[] = {
    8193, 16384, 16385, 32767, 65535, 65536, 65537, 96397, 131071, 200003, 262145, 524288, COMPARED_MAX,
};

static inline void compare_length(void (*compare)(size_t length), size_t length)
{
    harness_case("length %zu", length);
    compare(length);
}

/* Compares lengths while time is left: every one between COMPARED_SHORT and COMPARED_LONG, a far one after each hundred
 * of them. The order is the same for all implementations, because their outputs are compared as far as all of them
 * get; it jumps, so that a slow one gets to lengths of all sizes. */
static inline void compare_more_lengths(void (*compare)(size_t length))
{
    const size_t count = COMPARED_LONG - COMPARED_SHORT, step = 4385, far = sizeof far_lengths / sizeof far_lengths[0];
    cpu_budget_start(COMPARED_SECONDS);
    for (size_t i = 0; i < count && cpu_budget_left(); i++) { /* step has no divisor in common with count */
        if (i % 100 == 0 && i / 100 < far) compare_length(compare, far_lengths[i / 100]);
        compare_length(compare, COMPARED_SHORT + 1 + i * step % count);
    }
}

/* Calls `compare`, which calls harness_digest, with the lengths at which the implementations of a primitive are
 * compared. Call it first: its inputs are then the same whatever is tested. */
static inline void compare_lengths(void (*compare)(size_t length))
{
    const uint64_t seed = prng_word();
    cpu_budget_start(COMPARED_SHORT_SECONDS);
    /* Even lengths upwards, then odd ones downwards: a call must not depend on a longer one before it. */
    for (size_t i = 0; i <= COMPARED_SHORT; i++)
        compare_length(compare, 2 * i <= COMPARED_SHORT ? 2 * i : 2 * (COMPARED_SHORT - i) + 1);
    cpu_budget_start(COMPARED_SECONDS);
    for (size_t i = 0; i < sizeof some_lengths / sizeof some_lengths[0]; i++) compare_length(compare, some_lengths[i]);
    compare_more_lengths(compare);
    prng_seed(seed);
}

/* Calls `compare` with messages of equal bytes, 0 and 255, which random ones never are: `message` is overwritten. Call
 * it before compare_lengths, of which slow implementations leave out some. */
static inline void compare_equal_bytes(uint8_t *message, void (*compare)(size_t length))
{
    static const uint16_t lengths[] = {1, 16, 55, 56, 63, 64, 65, 100, 111, 112, 127, 128, 129, 136, 256, 576, 1500};
    for (int byte = 0; byte <= 255; byte += 255)
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
            harness_case("%" PRIu16 " bytes of %d", lengths[i], byte);
            memset(message, byte, lengths[i]);
            compare(lengths[i]);
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

/* GUARD_BACK for even numbers, GUARD_FRONT for odd ones. */
static inline enum guard_edge alternate_edge(size_t number)
{
    return number % 2 ? GUARD_FRONT : GUARD_BACK;
}

#endif
