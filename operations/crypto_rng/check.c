/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The property tests of crypto_rng: output and next key depend only on the key, and on every byte
 * of it; they differ from it and from each other; the next key may overwrite the old one; nothing
 * is written outside the buffers. */
#include "crypto_rng.h"
#include "checked_call.h"

/* Every call is checked for what it leaves behind. */
#define crypto_rng checked_call(crypto_rng)

#include "check.h"
#include "check_kept.h"

#define KEY crypto_rng_KEYBYTES
#define OUT crypto_rng_OUTPUTBYTES
#define SMALLER (KEY < OUT ? KEY : OUT)

static struct guard outs, nexts, keys;
static uint8_t key[KEY], next[KEY], out[OUT];

void operation_info(void)
{
    record_info("key_bytes", KEY);
    record_info("output_bytes", OUT);
}

static void generate(unsigned alignment, enum guard_edge edge)
{
    const unsigned other = alignment == GUARD_ANY ? GUARD_ANY : (alignment * 5) % 64;
    const uint8_t *g = guarded_copy(&keys, key, KEY, alignment, edge);
    uint8_t *r = guard_place(&outs, OUT, other, edge);
    uint8_t *n = guard_place(&nexts, KEY, other, edge);
    memset(r, 0x5a, OUT);
    memset(n, 0x5a, KEY);
    if (crypto_rng(r, n, g)) harness_fail(CALL_FAILED, "returns an error");
    expect_unchanged(&keys, key, "key");
    guard_check(&outs, "output");
    guard_check(&nexts, "next key");
    memcpy(out, r, OUT);
    memcpy(next, n, KEY);
}

static void in_place(void)
{
    uint8_t *both = guarded_copy_to_change(&keys, key, KEY, GUARD_ANY, GUARD_BACK);
    uint8_t *r = guard_place(&outs, OUT, GUARD_ANY, GUARD_BACK);
    if (crypto_rng(r, both, both)) harness_fail(CALL_FAILED, "returns an error");
    guard_check(&keys, "key");
    guard_check(&outs, "output");
    if (memcmp(r, out, OUT) || memcmp(both, next, KEY)) harness_fail(WRONG_OUTPUT, "differs in place");
}

static void every_byte_matters(void)
{
    uint8_t first_out[OUT], first_next[KEY];
    memcpy(first_out, out, OUT);
    memcpy(first_next, next, KEY);
    for (size_t i = 0; i < KEY; i++) {
        const uint8_t bit = random_bit();
        harness_case("key byte %zu changed", i);
        key[i] ^= bit;
        generate(GUARD_ANY, GUARD_BACK);
        key[i] ^= bit;
        if (!memcmp(first_out, out, OUT)) harness_fail(SAME_OUTPUT, "returns the same output");
        if (!memcmp(first_next, next, KEY)) harness_fail(SAME_OUTPUT, "returns the same next key");
    }
}

static void generate_similar(void)
{
    if (crypto_rng(out, next, key)) harness_fail(CALL_FAILED, "returns an error");
}

static void fixed_key(void)
{
    memset(key, 0x5c, KEY);
}

void operation_check(void)
{
    uint8_t first_out[OUT], first_next[KEY];
    guard_open(&outs, OUT + 64, "output");
    guard_open(&nexts, KEY + 64, "next key");
    guard_open(&keys, KEY + 64, "key");
    call_first(fixed_key, generate_similar, out, OUT);
    for (unsigned round = 0; round < 1024; round++) {
        harness_case("round %u", round);
        prng_fill(key, KEY);
        generate(GUARD_ANY, GUARD_BACK);
        memcpy(first_out, out, OUT);
        memcpy(first_next, next, KEY);
        harness_digest(out, OUT);
        harness_digest(next, KEY);
        generate(round % 64, alternate_edge(round));
        if (memcmp(first_out, out, OUT) || memcmp(first_next, next, KEY))
            harness_fail(NOT_DETERMINISTIC, "two calls on one key return different results");
        in_place();
        if (harness_lenient) continue; /* a weak generator is still deterministic */
        if (!memcmp(key, next, KEY)) harness_fail(SECRET_EXPOSED, "the output repeats the key");
        if (!memcmp(out, next, SMALLER)) harness_fail(SECRET_EXPOSED, "the output contains the next key");
        if (!memcmp(out, key, SMALLER)) harness_fail(SECRET_EXPOSED, "the output contains the key");
        if (round < 8) every_byte_matters();
    }
    EXPECT_NOTHING_KEPT("key", key, KEY, generate_similar, out, OUT);
    repeat_first_call(repeat_calls);
}

int operation_answer(const char *verb)
{
    if (strcmp(verb, "rng")) return -1;
    uint8_t both[KEY + OUT];
    if (!answer_failure(crypto_rng(both + KEY, both, request_exactly(KEY, "key")))) answer_bytes(both, sizeof both);
    return 0;
}
