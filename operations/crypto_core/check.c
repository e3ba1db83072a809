/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The property tests of crypto_core: the output depends on the input, the key and the constant,
 * and on nothing else; nothing is written outside the buffers. (Not every byte need matter: some
 * functions reduce their input.) */
#include "crypto_core.h"
#include "checked_call.h"

/* Every call is checked for what it leaves behind. */
#define crypto_core checked_call(crypto_core)

#include "check.h"
#include "check_kept.h"

#define OUT crypto_core_OUTPUTBYTES

static struct guard outs, ins, keys, constants;
static uint8_t out[OUT + 1], in[crypto_core_INPUTBYTES + 1], key[crypto_core_KEYBYTES + 1];
static uint8_t constant[crypto_core_CONSTBYTES + 1];

void operation_info(void)
{
    record_info("output_bytes", OUT);
}

static void compute(unsigned alignment, enum guard_edge edge)
{
    const unsigned other = alignment == GUARD_ANY ? GUARD_ANY : (alignment * 5) % 64;
    const uint8_t *i = guarded_copy(&ins, in, crypto_core_INPUTBYTES, alignment, edge);
    const uint8_t *k = guarded_copy(&keys, key, crypto_core_KEYBYTES, other, edge);
    const uint8_t *c = guarded_copy(&constants, constant, crypto_core_CONSTBYTES, other, edge);
    uint8_t *o = guard_place(&outs, OUT, alignment, edge);
    memset(o, 0x5a, OUT);
    if (crypto_core(o, i, k, c)) harness_fail(CALL_FAILED, "returns an error");
    expect_unchanged(&ins, in, "input");
    expect_unchanged(&keys, key, "key");
    expect_unchanged(&constants, constant, "constant");
    guard_check(&outs, "output");
    memcpy(out, o, OUT);
}

/* Checks that some of many values of `bytes` change the output. */
static void must_matter(uint8_t *bytes, size_t length, const char *name)
{
    uint8_t first[OUT + 1];
    int seen = 0;
    if (!length) return;
    harness_case("different values of the %s", name);
    compute(GUARD_ANY, GUARD_BACK);
    memcpy(first, out, OUT);
    for (int i = 0; i < 64 && !seen; i++) {
        prng_fill(bytes, length);
        compute(GUARD_ANY, GUARD_BACK);
        seen = memcmp(first, out, OUT) != 0;
    }
    if (!seen) harness_fail(SAME_OUTPUT, "always returns the same output");
}

static void open_all(void)
{
    guard_open(&outs, OUT + 64, "output");
    guard_open(&ins, crypto_core_INPUTBYTES + 64, "input");
    guard_open(&keys, crypto_core_KEYBYTES + 64, "key");
    guard_open(&constants, crypto_core_CONSTBYTES + 64, "constant");
}

/* Random bytes, or many equal ones: zeroes and ones, each with a random byte among them, or one random byte. */
static void fill(uint8_t *bytes, size_t length, unsigned kind)
{
    prng_fill(bytes, length);
    if (!kind || !length) return;
    const uint8_t one = bytes[0];
    memset(bytes, kind == 1 ? 0 : kind == 2 ? 0xff : one, length);
    bytes[prng_word() % length] = one;
}

/* Changes one byte of the three inputs, so that code which keeps a part of what it computed must see that it changed. */
static void change_one_byte(void)
{
    size_t at = (size_t)(prng_word() % (crypto_core_INPUTBYTES + crypto_core_KEYBYTES + crypto_core_CONSTBYTES));
    uint8_t *bytes = in;
    if (at >= crypto_core_INPUTBYTES) at -= crypto_core_INPUTBYTES, bytes = key;
    if (bytes == key && at >= crypto_core_KEYBYTES) at -= crypto_core_KEYBYTES, bytes = constant;
    bytes[at] ^= random_bit();
}

static void new_inputs(unsigned round)
{
    if (round >= 64 && round % 2) {
        change_one_byte();
        return;
    }
    fill(in, crypto_core_INPUTBYTES, round < 64 ? round % 4 : 0);
    fill(key, crypto_core_KEYBYTES, round < 64 ? round / 4 % 4 : 0);
    fill(constant, crypto_core_CONSTBYTES, round < 64 ? round / 16 : 0);
}

static void compute_similar(void)
{
    if (crypto_core(out, in, key, constant)) harness_fail(CALL_FAILED, "returns an error");
}

static void similar_inputs(void)
{
    EXPECT_NOTHING_KEPT("input", in, crypto_core_INPUTBYTES, compute_similar, out, OUT);
    EXPECT_NOTHING_KEPT("key", key, crypto_core_KEYBYTES, compute_similar, out, OUT);
    EXPECT_NOTHING_KEPT("constant", constant, crypto_core_CONSTBYTES, compute_similar, out, OUT);
}

static void fixed_inputs(void)
{
    memset(in, 0x36, crypto_core_INPUTBYTES), memset(key, 0x5c, crypto_core_KEYBYTES);
    memset(constant, 1, crypto_core_CONSTBYTES);
}

void operation_check(void)
{
    uint8_t first[OUT + 1];
    open_all();
    call_first(fixed_inputs, compute_similar, out, OUT);
    for (unsigned round = 0; round < 1024; round++) {
        harness_case("round %u", round);
        new_inputs(round);
        compute(GUARD_ANY, GUARD_BACK);
        memcpy(first, out, OUT);
        harness_digest(out, OUT);
        compute(round % 64, alternate_edge(round));
        if (memcmp(first, out, OUT))
            harness_fail(NOT_DETERMINISTIC, "two calls on the same input return different outputs");
    }
    similar_inputs();
    repeat_first_call(repeat_calls);
    if (harness_lenient) return;
    must_matter(in, crypto_core_INPUTBYTES, "input");
    must_matter(key, crypto_core_KEYBYTES, "key");
    must_matter(constant, crypto_core_CONSTBYTES, "constant");
}

int operation_answer(const char *verb)
{
    if (strcmp(verb, "core")) return -1;
    const uint8_t *i = request_exactly(crypto_core_INPUTBYTES, "input");
    const uint8_t *k = request_exactly(crypto_core_KEYBYTES, "key");
    const uint8_t *c = request_exactly(crypto_core_CONSTBYTES, "constant");
    if (!answer_failure(crypto_core(out, i, k, c))) answer_bytes(out, OUT);
    return 0;
}
