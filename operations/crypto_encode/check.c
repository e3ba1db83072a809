/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The property tests of crypto_encode that hold for any code: the string depends only on the
 * items, which are not modified; nothing is written outside the buffers. The items take all values
 * that the primitive allows; if these are not known, 0 and 1, which every definition allows.
 * (Different items may give the same string, because some codes round. The inverse, crypto_decode,
 * is another executable; vectors connect the two.) */
#include "crypto_encode.h"
#include "checked_call.h"

/* Every call is checked for what it leaves behind. */
#define crypto_encode checked_call(crypto_encode)

#include "check.h"
#include "check_kept.h"

#define ITEM crypto_encode_ITEMBYTES
#define ITEMS crypto_encode_ITEMS
#define STRING crypto_encode_STRBYTES
#ifdef crypto_encode_VALUES
#define VALUES crypto_encode_VALUES
#define LEAST (-(int64_t)(VALUES / 2))
#else
#define VALUES 2
#define LEAST 0
#endif
#define EQUAL_ITEMS 8 /* rounds in which all items are equal, or follow each other */
#define ROUNDS 1024   /* most of random items: groups of four items with three values each have 81 values */

_Static_assert(ITEM <= sizeof(int64_t), "an item is a number of at most 64 bits");

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

static void encode(unsigned alignment, enum guard_edge edge)
{
    const uint8_t *v = guarded_copy(&all, items, ITEMS * ITEM, edge == GUARD_BACK ? GUARD_ANY : 0, edge);
    uint8_t *s = guard_place(&strings, STRING, alignment, edge);
    memset(s, 0x5a, STRING);
    crypto_encode(s, v);
    expect_unchanged(&all, items, "items");
    guard_check(&strings, "string");
    memcpy(string, s, STRING);
}

static void set_item(size_t index, int64_t value)
{
    for (size_t i = 0; i < ITEM; i++)
        items[index * ITEM + (little_endian() ? i : ITEM - 1 - i)] = (uint8_t)((uint64_t)value >> 8 * i);
}

/* Fills in the least value, the largest one, then such values that each item has each of some, and random ones. */
static void fill(unsigned round)
{
    if (round >= EQUAL_ITEMS && round % 4 == 3) { /* as before but for one item: nothing may be kept */
        set_item((size_t)(prng_word() % ITEMS), LEAST + (int64_t)(prng_word() % VALUES));
        return;
    }
    for (size_t i = 0; i < ITEMS; i++) {
        uint64_t value = round ? VALUES - 1 : 0;
        if (round >= 2) value = round < EQUAL_ITEMS ? i * (round / 3) + round : prng_word();
        set_item(i, LEAST + (int64_t)(value % VALUES));
    }
}

static void encode_short(void)
{
    crypto_encode(string, items);
}

static void fixed_items(void)
{
    fill(2);
}

void operation_check(void)
{
    uint8_t first[STRING];
    guard_open(&all, ITEMS * ITEM + 64, "items");
    guard_open(&strings, STRING + 64, "string");
    call_first(fixed_items, encode_short, string, STRING);
    for (unsigned round = 0; round < ROUNDS; round++) {
        harness_case("round %u", round);
        fill(round);
        encode(GUARD_ANY, GUARD_BACK);
        memcpy(first, string, STRING);
        harness_digest(string, STRING);
        encode(round % 64, alternate_edge(round));
        if (memcmp(first, string, STRING))
            harness_fail(NOT_DETERMINISTIC, "two calls on the same items return different strings");
    }
    repeat_first_call(repeat_calls);
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

int operation_answer(const char *verb)
{
    if (strcmp(verb, "encode")) return -1;
    uint8_t *v = allocate(ITEMS * ITEM, 0);
    memcpy(v, request_exactly(ITEMS * ITEM, "items"), ITEMS * ITEM);
    swap(v);
    crypto_encode(string, v);
    answer_bytes(string, STRING);
    return 0;
}
