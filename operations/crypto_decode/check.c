/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The property tests of crypto_decode that hold for any code: the items depend on the string and
 * on nothing else; the string is not modified; nothing is written outside the buffers. (The
 * inverse, crypto_encode, is another executable; vectors connect the two.) */
#include "crypto_decode.h"
#include "checked_call.h"

/* Every call is checked for what it leaves behind. */
#define crypto_decode checked_call(crypto_decode)

#include "check.h"
#include "check_kept.h"

#define ITEM crypto_decode_ITEMBYTES
#define ITEMS crypto_decode_ITEMS
#define STRING crypto_decode_STRBYTES

static struct guard all, strings;
static _Alignas(16) uint8_t items[ITEMS * ITEM];
static uint8_t string[STRING];

void operation_info(void)
{
    record_info("string_bytes", STRING);
    record_info("items", ITEMS);
    record_info("item_bytes", ITEM);
}

static int little_endian(void)
{
    const uint16_t one = 1;
    return *(const uint8_t *)&one;
}

static void decode(unsigned alignment, enum guard_edge edge)
{
    const uint8_t *s = guarded_copy(&strings, string, STRING, alignment, edge);
    uint8_t *v = guard_place(&all, ITEMS * ITEM, edge == GUARD_BACK ? GUARD_ANY : 0, edge);
    memset(v, 0x5a, ITEMS * ITEM);
    crypto_decode(v, s);
    expect_unchanged(&strings, string, "string");
    guard_check(&all, "items");
    memcpy(items, v, ITEMS * ITEM);
}

/* Zeroes, ones, then such strings that each byte has each of its 256 values, and random ones. */
static void fill(unsigned round)
{
    prng_fill(string, STRING);
    if (round < 2) memset(string, round ? 0xff : 0, STRING);
    for (size_t i = 0; i < STRING && round >= 2 && round < 2 + 256; i++) string[i] = (uint8_t)(round + 37 * i);
}

/* Items in requests and answers are little-endian. */
static void swap(uint8_t *bytes)
{
    for (size_t i = 0; i < ITEMS && !little_endian(); i++)
        for (uint8_t *a = bytes + i * ITEM, *b = a + ITEM - 1; a < b; a++, b--) {
            const uint8_t kept = *a;
            *a = *b, *b = kept;
        }
}

static void decode_short(void)
{
    crypto_decode(items, string);
}

static void fixed_string(void)
{
    memset(string, 0x36, STRING);
}

void operation_check(void)
{
    static uint8_t first[ITEMS * ITEM], before[ITEMS * ITEM];
    int seen = 0;
    guard_open(&all, ITEMS * ITEM + 64, "items");
    guard_open(&strings, STRING + 64, "string");
    call_first(fixed_string, decode_short, items, sizeof items);
    for (unsigned round = 0; round < 512; round++) {
        harness_case("round %u", round);
        fill(round);
        decode(GUARD_ANY, GUARD_BACK);
        memcpy(first, items, sizeof items);
        decode(round % 64, alternate_edge(round));
        if (memcmp(first, items, sizeof items))
            harness_fail(NOT_DETERMINISTIC, "two calls on the same string return different results");
        seen += round && memcmp(before, items, sizeof items);
        memcpy(before, items, sizeof items);
        swap(first);
        harness_digest(first, sizeof first);
    }
    EXPECT_NOTHING_KEPT("string", string, STRING, decode_short, items, sizeof items);
    repeat_first_call(repeat_calls);
    harness_case("different strings");
    if (!seen && !harness_lenient) harness_fail(SAME_OUTPUT, "always returns the same items");
}

int operation_answer(const char *verb)
{
    if (strcmp(verb, "decode")) return -1;
    uint8_t *v = allocate(ITEMS * ITEM, 0);
    crypto_decode(v, request_exactly(STRING, "string"));
    swap(v);
    answer_bytes(v, ITEMS * ITEM);
    return 0;
}
