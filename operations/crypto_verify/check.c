/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The property tests of crypto_verify: equal strings are accepted; every single-bit difference and
 * random differences are detected, at every alignment. */
#include "crypto_verify.h"
#include "checked_call.h"

/* Every call is checked for what it leaves behind. */
#define crypto_verify checked_call(crypto_verify)

#include "check.h"
#include "check_kept.h"

#define BYTES crypto_verify_BYTES

static struct guard xs, ys;
static uint8_t *x, *y; /* BYTES bytes each */

void operation_info(void)
{
    record_info("string_bytes", BYTES);
}

static int equal(unsigned alignment, enum guard_edge edge)
{
    const uint8_t *p = guarded_copy(&xs, x, BYTES, alignment, edge);
    const uint8_t *q = guarded_copy(&ys, y, BYTES, alignment == GUARD_ANY ? GUARD_ANY : (alignment * 5) % 64, edge);
    const int result = verdict(crypto_verify(p, q));
    expect_unchanged(&xs, x, "x");
    expect_unchanged(&ys, y, "y");
    const uint8_t seen = result == 0;
    harness_digest(&seen, 1);
    return seen;
}

static void must_differ(const char *how)
{
    if (equal(GUARD_ANY, GUARD_BACK)) harness_fail(WRONG_OUTPUT, "reports strings as equal that differ in %s", how);
}

/* Changes `count` different bytes of y, three or more of them so that the exclusive or of all changes is 0. */
static void change_some(size_t count)
{
    uint8_t sum = 0;
    for (size_t at = 0, left = count; at < BYTES && left; at++) {
        if (prng_word() % (BYTES - at) >= left) continue;
        uint8_t change = (uint8_t)(1 + prng_word() % 255);
        if (left == 2 && change == sum) change ^= (uint8_t)(change == 1 ? 2 : 1); /* so that the last one is not 0 */
        if (--left == 0) change = sum;
        y[at] ^= change, sum ^= change;
    }
}

static void differences(void)
{
    for (size_t bit = 0; bit < 8 * BYTES; bit++) {
        harness_case("bit %zu", bit);
        y[bit / 8] ^= (uint8_t)(1u << bit % 8);
        must_differ("one bit");
        y[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    for (size_t i = 0; i < BYTES; i++)
        for (size_t j = 0; j < i; j++) { /* two equal differences must not cancel */
            harness_case("bytes %zu and %zu", i, j);
            const uint8_t change = (uint8_t)(1 + prng_word() % 255);
            y[i] ^= change, y[j] ^= change;
            must_differ("two bytes");
            y[i] ^= change, y[j] ^= change;
        }
    for (unsigned i = 0; i < 4096; i++) { /* nor three, nor any number of other ones */
        const size_t count = i % 2 ? 3 : 3 + (size_t)(prng_word() % (BYTES - 2));
        harness_case("%zu bytes, case %u", count, i);
        change_some(count);
        must_differ("several bytes");
        memcpy(y, x, BYTES);
    }
    harness_case("two halves exchanged");
    if (memcmp(x, x + BYTES / 2, BYTES / 2)) {
        memcpy(y, x + BYTES / 2, BYTES / 2);
        memcpy(y + BYTES / 2, x, BYTES / 2);
        must_differ("the order of their halves");
        memcpy(y, x, BYTES);
    }
    for (unsigned change = 1; change <= 255; change++) {
        harness_case("every byte, by %02x", change);
        for (size_t i = 0; i < BYTES; i++) y[i] ^= (uint8_t)change;
        must_differ("every byte");
        memcpy(y, x, BYTES);
    }
    for (size_t bit = 0; bit < 8 * BYTES; bit++) /* the same bit of two words */
        for (size_t other = bit + 32; other < 8 * BYTES; other += 32) {
            harness_case("bits %zu and %zu", bit, other);
            y[bit / 8] ^= (uint8_t)(1u << bit % 8), y[other / 8] ^= (uint8_t)(1u << other % 8);
            must_differ("two bits");
            memcpy(y, x, BYTES);
        }
    harness_case("the bytes reversed");
    for (size_t i = 0; i < BYTES; i++) y[i] = x[BYTES - 1 - i];
    if (memcmp(x, y, BYTES)) must_differ("the order of their bytes");
    memcpy(y, x, BYTES);
}

/* Strings that follow one another, as in a packet, and a string and itself. */
static void at_one_place(void)
{
    uint8_t both[2 * BYTES];
    for (size_t i = 0; i <= BYTES; i++) {
        harness_case("one string after the other, byte %zu changed", i);
        memcpy(both, x, BYTES);
        memcpy(both + BYTES, x, BYTES);
        if (i < BYTES) both[BYTES + i] ^= random_bit();
        const uint8_t *p = guarded_copy(&xs, both, sizeof both, GUARD_ANY, GUARD_BACK);
        if ((verdict(crypto_verify(p, p + BYTES)) == 0) != (i == BYTES))
            harness_fail(WRONG_OUTPUT, "does not say whether they differ");
    }
    for (size_t distance = 1; distance < BYTES; distance++) {
        harness_case("a string %zu bytes after the other", distance);
        memset(both, 0, sizeof both);
        memcpy(both + 1, x, BYTES);
        const uint8_t *p = guarded_copy(&xs, both, sizeof both, GUARD_ANY, GUARD_BACK);
        if ((verdict(crypto_verify(p, p + distance)) == 0) != !memcmp(p, p + distance, BYTES))
            harness_fail(WRONG_OUTPUT, "does not say whether they differ");
    }
    harness_case("a string and itself");
    const uint8_t *p = guarded_copy(&xs, x, BYTES, GUARD_ANY, GUARD_BACK);
    if (verdict(crypto_verify(p, p))) harness_fail(WRONG_OUTPUT, "reports equal strings as different");
}

static int are_equal;

static void verify_similar(void)
{
    are_equal = !verdict(crypto_verify(x, y));
}

void operation_check(void)
{
    x = allocate(BYTES, 0);
    y = allocate(BYTES, 0);
    guard_open(&xs, 2 * BYTES + 64, "x");
    guard_open(&ys, BYTES + 64, "y");
    for (unsigned turn = 0; turn < 64; turn++) {
        harness_case("equal strings, alignment %u", turn);
        if (turn == 1)
            memset(x, 0, BYTES);
        else if (turn == 2)
            memset(x, 0xff, BYTES);
        else
            prng_fill(x, BYTES);
        memcpy(y, x, BYTES);
        if (!equal(turn, alternate_edge(turn))) harness_fail(WRONG_OUTPUT, "reports equal strings as different");
        for (size_t i = 0; i < BYTES; i++) {
            const uint8_t bit = random_bit();
            harness_case("byte %zu, alignment %u", i, turn);
            y[i] ^= bit;
            if (equal(turn, alternate_edge(turn)))
                harness_fail(WRONG_OUTPUT, "reports strings as equal that differ in one bit");
            y[i] ^= bit;
        }
        if (turn < 4) differences(), at_one_place();
    }
    EXPECT_NOTHING_KEPT("string", x, BYTES, verify_similar, &are_equal, sizeof are_equal);
    EXPECT_NOTHING_KEPT("second string", y, BYTES, verify_similar, &are_equal, sizeof are_equal);
}

/* Answers 01 if the strings are equal. */
int operation_answer(const char *verb)
{
    if (strcmp(verb, "verify")) return -1;
    const uint8_t *p = request_exactly(BYTES, "x"), *q = request_exactly(BYTES, "y");
    const uint8_t result = crypto_verify(p, q) == 0;
    answer_bytes(&result, 1);
    return 0;
}
