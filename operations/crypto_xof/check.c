/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The property tests of crypto_xof: the output depends only on the message, and on every byte of
 * it; a shorter output is a prefix of a longer one; nothing is written outside the buffers. */
#include "crypto_xof.h"
#include "checked_call.h"

/* Every call is checked for what it leaves behind. */
#define crypto_xof checked_call(crypto_xof)

#include "check.h"
#include "check_kept.h"

#define MAX_LENGTH 8192
#define FAR 65625
#define SEEN 64 /* output bytes, in cases that vary the message */

static struct guard messages, outputs;
static uint8_t message[COMPARED_MAX], output[FAR];

void operation_info(void)
{
}

/* Writes outlen bytes of output for the first inlen bytes of `message` to `to`. */
static void expand_output(uint8_t *to, size_t outlen, size_t inlen, unsigned alignment, enum guard_edge edge)
{
    const uint8_t *in = guarded_copy(&messages, message, inlen, alignment, edge);
    uint8_t *out = guard_place(&outputs, outlen, alignment == GUARD_ANY ? GUARD_ANY : (alignment * 5) % 64, edge);
    memset(out, 0x5a, outlen);
    if (crypto_xof(out, outlen, in, inlen)) harness_fail(CALL_FAILED, "returns an error");
    expect_unchanged(&messages, message, "message");
    guard_check(&outputs, "output");
    memcpy(to, out, outlen);
}

static void same_at(size_t outlen, size_t inlen, unsigned alignment, enum guard_edge edge)
{
    static uint8_t again[FAR];
    expand_output(again, outlen, inlen, alignment, edge);
    if (memcmp(again, output, outlen))
        harness_fail(NOT_DETERMINISTIC, "two calls on one message return different outputs");
}

/* Asks for other lengths of output as well. */
static void compare(size_t length)
{
    const size_t outlen = 1 + length * 7 % 600;
    expand_output(output, outlen, length, GUARD_ANY, alternate_edge(length));
    harness_digest(output, outlen);
}

/* Messages and outputs of about as many bytes as a permutation takes or gives at once. */
static void whole_blocks(void)
{
    static const uint8_t lengths[] = {0, 1, 64, 135, 136, 137, 167, 168, 169, 200};
    for (size_t i = 0; i < sizeof lengths * sizeof lengths; i++) {
        const size_t inlen = lengths[i / sizeof lengths], outlen = lengths[i % sizeof lengths];
        harness_case("%zu bytes of output, message of %zu", outlen, inlen);
        expand_output(output, outlen, inlen, GUARD_ANY, alternate_edge(i));
        harness_digest(output, outlen);
    }
}

static void longer_begins_with_shorter(void)
{
    for (unsigned turn = 0; turn < 2; turn++) {
        const size_t inlen = turn ? 333 : 0;
        expand_output(output, MAX_LENGTH, inlen, GUARD_ANY, GUARD_BACK);
        for (size_t outlen = 0; outlen <= MAX_LENGTH; outlen = next_length(outlen)) {
            harness_case("%zu bytes of output, message of %zu", outlen, inlen);
            same_at(outlen, inlen, (unsigned)(outlen * 7) % 64, alternate_edge(outlen));
        }
    }
}

/* Asks for every number of bytes up to MAX_LENGTH while time is left, in an order that jumps. */
static void every_output_length(void)
{
    const size_t step = 4787; /* a prime, so that i * step % MAX_LENGTH takes every value once */
    expand_output(output, MAX_LENGTH, 40, GUARD_ANY, GUARD_BACK);
    cpu_budget_start(COMPARED_SECONDS);
    for (size_t i = 0; i < MAX_LENGTH && cpu_budget_left(); i++) {
        const size_t outlen = 1 + i * step % MAX_LENGTH;
        harness_case("%zu bytes of output, message of 40", outlen);
        same_at(outlen, 40, GUARD_ANY, alternate_edge(outlen));
    }
}

static void every_byte_matters(size_t length)
{
    uint8_t other[SEEN];
    expand_output(output, SEEN, length, GUARD_ANY, GUARD_BACK);
    for (size_t i = 0; i < length; i++) {
        const uint8_t bit = random_bit();
        harness_case("length %zu, byte %zu changed", length, i);
        message[i] ^= bit;
        expand_output(other, SEEN, length, GUARD_ANY, GUARD_BACK);
        message[i] ^= bit;
        if (!memcmp(other, output, SEEN)) harness_fail(SAME_OUTPUT, "returns the same output");
    }
}

static void the_length_matters(void)
{
    uint8_t before[SEEN];
    memset(message, 0, 600);
    expand_output(output, SEEN, 0, GUARD_ANY, GUARD_BACK);
    for (size_t length = 1; length <= 600; length++) {
        harness_case("%zu zero bytes", length);
        memcpy(before, output, SEEN);
        expand_output(output, SEEN, length, GUARD_ANY, GUARD_BACK);
        if (!memcmp(before, output, SEEN)) harness_fail(WRONG_OUTPUT, "returns the output for one zero byte fewer");
    }
}

static void expand_short(void)
{
    if (crypto_xof(output, SEEN, message, 40)) harness_fail(CALL_FAILED, "returns an error");
}

static void expand_packet(void)
{
    if (crypto_xof(output, SEEN, message, 576)) harness_fail(CALL_FAILED, "returns an error");
}

static void fixed_message(void)
{
    memset(message, 0x36, 40);
}

static void similar_messages(void)
{
    EXPECT_NOTHING_KEPT("message of 40 bytes", message, 40, expand_short, output, SEEN);
    EXPECT_NOTHING_KEPT("message of 576 bytes", message, 576, expand_packet, output, SEEN);
}

void operation_check(void)
{
    guard_open(&messages, COMPARED_MAX + 64, "message");
    guard_open(&outputs, FAR + 64, "output");
    call_first(fixed_message, expand_short, output, SEEN);
    compare_equal_bytes(message, compare);
    prng_fill(message, COMPARED_MAX);
    for (size_t far = 16384; far <= FAR; far = far == FAR ? FAR + 1 : far == 65536 ? FAR : 2 * far) {
        harness_case("length %zu", far);
        expand_output(output, SEEN, far, GUARD_ANY, GUARD_BACK);
        harness_digest(output, SEEN);
        harness_case("%zu bytes of output, message of 40", far);
        expand_output(output, far, 40, GUARD_ANY, GUARD_BACK);
        harness_digest(output, far);
    }
    whole_blocks();
    compare_lengths(compare); /* implementations get through more or fewer lengths */
    for (size_t length = 0; length <= MAX_LENGTH; length = next_length(length)) {
        harness_case("length %zu", length);
        expand_output(output, SEEN, length, GUARD_ANY, GUARD_BACK);
        same_at(SEEN, length, (unsigned)(length * 11 + 1) % 64, GUARD_FRONT);
    }
    for (unsigned alignment = 0; alignment < 64; alignment++) {
        harness_case("alignment %u", alignment);
        expand_output(output, 500, 600, GUARD_ANY, GUARD_BACK);
        same_at(500, 600, alignment, alternate_edge(alignment));
    }
    repeat_first_call(repeat_calls);
    similar_messages();
    if (harness_lenient) return; /* only guaranteed to depend on its inputs */
    longer_begins_with_shorter();
    every_output_length();
    every_byte_matters(40);
    every_byte_matters(700);
    the_length_matters();
}

int operation_answer(const char *verb)
{
    size_t inlen;
    if (strcmp(verb, "xof")) return -1;
    const uint8_t *in = request_bytes(&inlen);
    const size_t outlen = (size_t)request_number();
    uint8_t *out = allocate(outlen, 0);
    if (!answer_failure(crypto_xof(out, outlen, in, inlen))) answer_bytes(out, outlen);
    return 0;
}
