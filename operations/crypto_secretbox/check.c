/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The property tests of crypto_secretbox: round trip with NaCl's zero bytes; every forgery is
 * rejected; nothing is written outside the buffers. */
#include "crypto_secretbox.h"
#include "checked_call.h"

/* Every call is checked for what it leaves behind. */
#define crypto_secretbox checked_call(crypto_secretbox)
#define crypto_secretbox_open checked_call(crypto_secretbox_open)

#include "check.h"
#include "check_kept.h"

#define KEY crypto_secretbox_KEYBYTES
#define NONCE crypto_secretbox_NONCEBYTES
#define ZERO crypto_secretbox_ZEROBYTES
#define BOXZERO crypto_secretbox_BOXZEROBYTES
#define MAX_LENGTH 8192
#define UNTOUCHED 0x5a

_Static_assert(ZERO >= BOXZERO, "a box must not be shorter than its message");

static struct guard keys, nonces, messages, boxes, opened;
static uint8_t key[KEY + 1], nonce[NONCE + 1], message[ZERO + COMPARED_MAX], box[ZERO + COMPARED_MAX];

void operation_info(void)
{
    record_info("key_bytes", KEY);
    record_info("nonce_bytes", NONCE);
    record_info("box_overhead_bytes", ZERO - BOXZERO);
}

/* Boxes the padded message into `box`. */
static void seal(size_t padded, unsigned alignment, enum guard_edge edge)
{
    const uint8_t *m = guarded_copy(&messages, message, padded, alignment, edge);
    const uint8_t *n = guarded_copy(&nonces, nonce, NONCE, GUARD_ANY, next_edge());
    const uint8_t *k = guarded_copy(&keys, key, KEY, GUARD_ANY, next_edge());
    uint8_t *c = guard_place(&boxes, padded, alignment == GUARD_ANY ? GUARD_ANY : (alignment * 5) % 64, edge);
    memset(c, 0x5a, padded);
    if (crypto_secretbox(c, m, padded, n, k)) harness_fail(VALID_REJECTED, "rejects a valid message");
    expect_unchanged(&messages, message, "message");
    expect_unchanged(&nonces, nonce, "nonce");
    expect_unchanged(&keys, key, "key");
    guard_check(&boxes, "box");
    for (size_t i = 0; i < BOXZERO; i++)
        if (c[i]) harness_fail(WRONG_OUTPUT, "does not set byte %zu of the box to zero", i);
    memcpy(box, c, padded);
}

/* Returns 0 if the first `padded` bytes of `box` are accepted. */
static int try_open(size_t padded, unsigned alignment, enum guard_edge edge)
{
    const uint8_t *c = guarded_copy(&boxes, box, padded, alignment, edge);
    const uint8_t *n = guarded_copy(&nonces, nonce, NONCE, GUARD_ANY, next_edge());
    const uint8_t *k = guarded_copy(&keys, key, KEY, GUARD_ANY, next_edge());
    uint8_t *m = guard_place(&opened, padded, alignment == GUARD_ANY ? GUARD_ANY : (alignment * 5) % 64, edge);
    memset(m, UNTOUCHED, padded);
    const int result = verdict(crypto_secretbox_open(m, c, padded, n, k));
    expect_unchanged(&boxes, box, "box");
    expect_unchanged(&nonces, nonce, "nonce");
    expect_unchanged(&keys, key, "key");
    guard_check(&opened, "message");
    return result;
}

static void round_trip(size_t length, unsigned alignment, enum guard_edge edge)
{
    static uint8_t first[ZERO + MAX_LENGTH];
    harness_case("length %zu, alignment %u", length, alignment);
    prng_fill(nonce, NONCE);
    prng_fill(message + ZERO, length);
    seal(ZERO + length, GUARD_ANY, GUARD_BACK);
    memcpy(first, box, ZERO + length);
    seal(ZERO + length, alignment, edge);
    if (memcmp(first, box, ZERO + length))
        harness_fail(NOT_DETERMINISTIC, "two calls on one message return different boxes");
    if (try_open(ZERO + length, alignment, edge)) harness_fail(VALID_REJECTED, "rejects its own box");
    if (memcmp(opened.data, message, ZERO + length)) harness_fail(WRONG_OUTPUT, "opens to a different message");
}

static void must_reject(size_t padded)
{
    if (try_open(padded, GUARD_ANY, GUARD_BACK) == 0) harness_fail(FORGERY_ACCEPTED, "accepts a forgery");
    expect_not_released(opened.data, padded, UNTOUCHED);
}

static void compare(size_t length)
{
    if (length % 8 < 2) prng_fill(key, KEY); /* lengths of the same parity follow each other */
    prng_fill(nonce, NONCE);
    prng_fill(message + ZERO, length);
    const uint8_t bit = random_bit();
    seal(ZERO + length, GUARD_ANY, alternate_edge(length));
    harness_digest(box, ZERO + length);
    if (!cpu_budget_left() && length % 21) return;
    if (try_open(ZERO + length, GUARD_ANY, alternate_edge(length))) harness_fail(VALID_REJECTED, "rejects its own box");
    if (memcmp(opened.data, message, ZERO + length)) harness_fail(WRONG_OUTPUT, "opens to a different message");
    if (harness_lenient) return; /* foreign trees open only boxes that they made */
    const size_t byte = BOXZERO + length * 11 % (ZERO + length - BOXZERO);
    harness_case("length %zu, byte %zu of the box changed", length, byte);
    box[byte] ^= bit;
    must_reject(ZERO + length);
}

static void must_matter(uint8_t *bytes, size_t count, size_t padded, const char *what)
{
    for (size_t i = 0; i < 8 * count; i++) {
        harness_case("length %zu, byte %zu of the %s changed", padded - ZERO, i / 8, what);
        bytes[i / 8] ^= (uint8_t)(1u << i % 8);
        must_reject(padded);
        bytes[i / 8] ^= (uint8_t)(1u << i % 8);
    }
}

static void forgeries(size_t length)
{
    const size_t padded = ZERO + length;
    must_matter(box + BOXZERO, padded - BOXZERO, padded, "box");
    must_matter(nonce, NONCE, padded, "nonce");
    must_matter(key, KEY, padded, "key");
    uint8_t kept[ZERO - BOXZERO + 1];
    memcpy(kept, box + BOXZERO, ZERO - BOXZERO);
    for (int byte = 0; byte <= 255; byte += 255) {
        harness_case("length %zu, an authenticator of bytes %d", length, byte);
        memset(box + BOXZERO, byte, ZERO - BOXZERO);
        must_reject(padded);
    }
    memcpy(box + BOXZERO, kept, ZERO - BOXZERO);
    for (unsigned i = 0; i < CANCELLING_CHANGES; i++) {
        harness_case("length %zu, two bytes of the authenticator changed, case %u", length, i);
        const struct changed_pair pair = change_together(box + BOXZERO, ZERO - BOXZERO, i);
        must_reject(padded);
        change_back(&pair);
    }
    for (size_t more = 1; more <= 16; more += 15) {
        harness_case("length %zu, followed by %zu extra bytes", length, more);
        memset(box + padded, 0, more);
        must_reject(padded + more);
    }
    for (size_t cut = 1; cut <= padded; cut += cut < 40 ? 1 : 61) {
        harness_case("length %zu, cut by %zu bytes", length, cut);
        must_reject(padded - cut);
    }
}

/* An authenticator that contains a zero byte, which must not end the comparison. */
static void zero_in_authenticator(void)
{
    cpu_budget_start(FEW_SECONDS);
    do {
        harness_case("the last byte of the authenticator changed");
        prng_fill(nonce, NONCE);
        seal(ZERO + 40, GUARD_ANY, GUARD_BACK);
    } while (!memchr(box + BOXZERO, 0, ZERO - BOXZERO - 1) && cpu_budget_left());
    box[ZERO - 1] ^= random_bit();
    must_reject(ZERO + 40);
}

/* Both functions in turn, and a forgery. */
static void cycle(void)
{
    static uint8_t c[ZERO + 64], m[ZERO + 64];
    if (crypto_secretbox(c, message, sizeof c, nonce, key)) harness_fail(VALID_REJECTED, "rejects a valid message");
    if (crypto_secretbox_open(m, c, sizeof c, nonce, key)) harness_fail(VALID_REJECTED, "rejects its own box");
    c[ZERO] ^= 1;
    if (!crypto_secretbox_open(m, c, sizeof c, nonce, key)) harness_fail(FORGERY_ACCEPTED, "accepts a forgery");
}

static int opens;

static void box_similar(void)
{
    if (crypto_secretbox(box, message, ZERO + 64, nonce, key)) harness_fail(VALID_REJECTED, "rejects a valid message");
}

static void fixed_inputs(void)
{
    memset(key, 0x5c, KEY), memset(nonce, 1, NONCE), memset(message, 0, ZERO), memset(message + ZERO, 0x36, 64);
}

static void open_similar(void)
{
    static uint8_t m[ZERO + 64];
    opens = !verdict(crypto_secretbox_open(m, box, sizeof m, nonce, key));
}

static void similar_boxes(void)
{
    EXPECT_NOTHING_KEPT("key", key, KEY, box_similar, box, ZERO + 64);
    EXPECT_NOTHING_KEPT("nonce", nonce, NONCE, box_similar, box, ZERO + 64);
    EXPECT_NOTHING_KEPT("message", message + ZERO, 64, box_similar, box, ZERO + 64);
    box_similar();
    EXPECT_NOTHING_KEPT("key to open with", key, KEY, open_similar, &opens, sizeof opens);
    EXPECT_NOTHING_KEPT("nonce to open with", nonce, NONCE, open_similar, &opens, sizeof opens);
    EXPECT_NOTHING_KEPT("box", box + BOXZERO, ZERO - BOXZERO + 64, open_similar, &opens, sizeof opens);
}

void operation_check(void)
{
    static const size_t forged[] = {0, 1, 16, 31, 32, 33, 64, 576};
    guard_open(&keys, KEY, "key");
    guard_open(&nonces, NONCE, "nonce");
    guard_open(&messages, ZERO + COMPARED_MAX + 64, "message");
    guard_open(&boxes, ZERO + COMPARED_MAX + 64, "box");
    guard_open(&opened, ZERO + COMPARED_MAX + 64, "message");
    call_first(fixed_inputs, box_similar, box, ZERO + 64);
    for (int byte = 0; byte <= 255; byte += 255) {
        harness_case("key, nonce and message of bytes %d", byte);
        memset(key, byte, KEY), memset(nonce, byte, NONCE), memset(message + ZERO, byte, 200);
        seal(ZERO + 200, GUARD_ANY, GUARD_BACK);
        harness_digest(box, ZERO + 200);
    }
    compare_lengths(compare);
    for (size_t length = 0; length <= MAX_LENGTH; length = next_length(length)) {
        prng_fill(key, KEY);
        round_trip(length, (unsigned)(length * 11 + 1) % 64, alternate_edge(length));
    }
    for (unsigned alignment = 0; alignment < 64; alignment++) round_trip(600, alignment, alternate_edge(alignment));
    for (size_t i = 0; i < sizeof forged / sizeof forged[0]; i++) {
        round_trip(forged[i], GUARD_ANY, GUARD_BACK);
        if (!harness_lenient) forgeries(forged[i]); /* foreign trees open only boxes that they made */
    }
    repeat_first_call(repeat_calls);
    if (harness_lenient) return;
    zero_in_authenticator();
    repeat_cycle(cycle);
    similar_boxes();
}

/* Requests and answers have no zero bytes, which are added and removed here. */
static uint8_t *padded_with(size_t zeroes, const uint8_t *bytes, size_t length)
{
    uint8_t *padded = allocate(zeroes + length, 0);
    memcpy(padded + zeroes, bytes, length);
    return padded;
}

int operation_answer(const char *verb)
{
    size_t length;
    const int opening = !strcmp(verb, "open");
    if (!opening && strcmp(verb, "box")) return -1;
    const uint8_t *k = request_exactly(KEY, "key"), *n = request_exactly(NONCE, "nonce");
    const uint8_t *given = request_bytes(&length);
    const size_t before = opening ? BOXZERO : ZERO, after = opening ? ZERO : BOXZERO;
    const uint8_t *in = padded_with(before, given, length);
    uint8_t *out = allocate(before + length, 0);
    if (opening ? crypto_secretbox_open(out, in, before + length, n, k)
                : crypto_secretbox(out, in, before + length, n, k))
        answer_word(opening ? "rejected" : "refused");
    else
        answer_bytes(out + after, before + length - after);
    return 0;
}
