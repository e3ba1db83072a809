/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The property tests of crypto_encode that hold for any code: the string depends only on the
 * items, which are not modified; nothing is written outside the buffers. The items are 0 and 1,
 * which every definition allows. (Different items may give the same string, because some codes
 * round. The inverse, crypto_decode, is another executable; vectors connect the two.) */
#include "crypto_encode.h"
#include "checked_call.h"

/* Every call is checked for what it leaves behind. */
#define crypto_encode checked_call(crypto_encode)

#include "check.h"

#define ITEM crypto_encode_ITEMBYTES
#define ITEMS crypto_encode_ITEMS
#define STRING crypto_encode_STRBYTES

static struct guard all, strings;
static uint8_t items[ITEMS * ITEM], string[STRING];

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

static void fill(unsigned round)
{
    const size_t low = little_endian() ? 0 : ITEM - 1;
    memset(items, 0, sizeof items);
    for (size_t i = 0; i < ITEMS && round; i++) items[i * ITEM + low] = round == 1 ? 1 : (uint8_t)(prng_word() & 1);
}

void operation_check(void)
{
    uint8_t first[STRING];
    guard_open(&all, ITEMS * ITEM + 64, "items");
    guard_open(&strings, STRING + 64, "string");
    for (unsigned round = 0; round < 64; round++) {
        harness_case("round %u", round);
        fill(round);
        encode(GUARD_ANY, GUARD_BACK);
        memcpy(first, string, STRING);
        harness_digest(string, STRING);
        encode(round, alternate_edge(round));
        if (memcmp(first, string, STRING))
            harness_fail(NOT_DETERMINISTIC, "two calls on the same items return different strings");
    }
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
