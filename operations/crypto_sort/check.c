/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The property tests of crypto_sort: the result is a permutation of the items, in the same order
 * in every call (unsigned, signed, or sign and magnitude as in floating point); nothing is written
 * outside the buffers. */
#include <stdlib.h>

#include "crypto_sort.h"
#include "checked_call.h"

/* Every call is checked for what it leaves behind. */
#define crypto_sort checked_call(crypto_sort)

#include "check.h"
#include "check_kept.h"

#define ITEM crypto_sort_BYTES
#define MAX_ITEMS 131101
#define EVERY_NUMBER 1100 /* of items up to which each is tried */
#define MANY_ITEMS 8192 /* up to which all distributions are sorted */
#define MANY_SECONDS 0.2 /* CPU time for more items */
#define ALL_SECONDS 0.3  /* CPU time for every number of items up to MANY_ITEMS */
#define STRIDE 104729    /* a prime larger than MANY_ITEMS, so that i * STRIDE % n takes every value below n once */

static struct guard items;
static uint8_t given[MAX_ITEMS * ITEM], sorted[MAX_ITEMS * ITEM];

/* The orders that all results so far are consistent with. */
enum { UNSIGNED = 1, SIGNED = 2, MAGNITUDE = 4 };
static int orders = UNSIGNED | SIGNED | MAGNITUDE;

void operation_info(void)
{
    record_info("item_bytes", ITEM);
}

static int little_endian(void)
{
    const uint16_t one = 1;
    return *(const uint8_t *)&one;
}

/* Returns byte `place` of an item, most significant first. */
static uint8_t digit(const uint8_t *item, size_t place)
{
    return item[little_endian() ? ITEM - 1 - place : place];
}

/* Compares items as unsigned numbers; `flip` is added to the first byte. */
static int compare(const uint8_t *a, const uint8_t *b, uint8_t flip)
{
    for (size_t i = 0; i < ITEM; i++) {
        const int x = digit(a, i) ^ (i ? 0 : flip), y = digit(b, i) ^ (i ? 0 : flip);
        if (x != y) return x < y ? -1 : 1;
    }
    return 0;
}

static int by_magnitude(const uint8_t *a, const uint8_t *b)
{
    const int p = digit(a, 0) >> 7, q = digit(b, 0) >> 7;
    if (p != q) return q - p;
    return p ? compare(b, a, 0) : compare(a, b, 0);
}

static int by_bytes(const void *a, const void *b)
{
    return memcmp(a, b, ITEM);
}

/* Checks that `given` and the result are equal as multisets. */
static void must_be_permutation(const uint8_t *result, size_t n)
{
    static uint8_t a[MAX_ITEMS * ITEM], b[MAX_ITEMS * ITEM];
    memcpy(a, given, n * ITEM);
    memcpy(b, result, n * ITEM);
    qsort(a, n, ITEM, by_bytes);
    qsort(b, n, ITEM, by_bytes);
    if (memcmp(a, b, n * ITEM)) harness_fail(WRONG_OUTPUT, "the sorted items are not those of the input");
}

static void must_be_sorted(const uint8_t *result, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const uint8_t *a = result + (i - 1) * ITEM, *b = result + i * ITEM;
        if (compare(a, b, 0) > 0) orders &= ~UNSIGNED;
        if (compare(a, b, 0x80) > 0) orders &= ~SIGNED;
        if (by_magnitude(a, b) > 0) orders &= ~MAGNITUDE;
        if (!orders) harness_fail(WRONG_OUTPUT, "the output is not sorted at item %zu", i);
    }
}

/* Items are numbers of the machine, and their addresses multiples of their size. */
static unsigned alignment_at(enum guard_edge edge)
{
    return edge == GUARD_FRONT ? 0 : GUARD_ANY;
}

static void sort_once(size_t n, enum guard_edge edge)
{
    uint8_t *x = guarded_copy_to_change(&items, given, n * ITEM, alignment_at(edge), edge);
    crypto_sort(x, (long long)n);
    guard_check(&items, "items");
    must_be_permutation(x, n);
    must_be_sorted(x, n);
    memcpy(sorted, x, n * ITEM);
}

static void sort(size_t n, enum guard_edge edge)
{
    sort_once(n, edge);
    harness_digest(sorted, n * ITEM);
    uint8_t *x = guarded_copy_to_change(&items, sorted, n * ITEM, alignment_at(edge), edge);
    crypto_sort(x, (long long)n);
    if (memcmp(x, sorted, n * ITEM)) harness_fail(INPUT_MODIFIED, "changes an array that is already sorted");
}

/* Random items, items with few different values, or many extreme values. */
static void fill(size_t n, unsigned kind)
{
    prng_fill(given, n * ITEM);
    for (size_t i = 0; i < n && kind; i++) {
        const uint64_t word = prng_word();
        const uint8_t few = kind == 1 ? (uint8_t)(word % 3) : word & 1 ? 0xff : 0;
        memset(given + i * ITEM, kind == 1 ? 0 : few, ITEM);
        const size_t place = word & 2 ? 0 : ITEM - 1;
        given[i * ITEM + place] = kind == 1 ? few : (uint8_t)(few ^ (word & 4 ? 0x80 : 0));
    }
}

static void reversed(size_t n)
{
    for (size_t i = 0; i < n; i++) memcpy(given + i * ITEM, sorted + (n - 1 - i) * ITEM, ITEM);
}

/* Sorts n of the items that are sorted, taken out of order, and compares the result with them. */
static void sort_again(size_t n)
{
    uint8_t *x = guard_place(&items, n * ITEM, alignment_at(alternate_edge(n)), alternate_edge(n));
    harness_case("%zu items", n);
    for (size_t i = 0; i < n; i++) memcpy(x + i * ITEM, sorted + i * STRIDE % n * ITEM, ITEM);
    crypto_sort(x, (long long)n);
    guard_check(&items, "items");
    if (memcmp(x, sorted, n * ITEM)) harness_fail(WRONG_OUTPUT, "sorts the items in another way than before");
}

/* Tries every number of items between EVERY_NUMBER and MANY_ITEMS while time is left, in an order that jumps. */
static void every_number(void)
{
    const size_t count = MANY_ITEMS - EVERY_NUMBER;
    harness_case("%d items", MANY_ITEMS);
    fill(MANY_ITEMS, 0);
    sort_once(MANY_ITEMS, GUARD_BACK);
    cpu_budget_start(ALL_SECONDS);
    for (size_t i = 0; i < count && cpu_budget_left(); i++) sort_again(EVERY_NUMBER + 1 + i * STRIDE % count);
}

/* Sorts up to four items, each the least, the greatest or one near 0, in every order. */
static void extremes(void)
{
    for (size_t n = 2; n <= 4; n++)
        for (size_t number = 0, all = n == 2 ? 25 : n == 3 ? 125 : 625; number < all; number++) {
            harness_case("%zu extreme items, number %zu", n, number);
            for (size_t i = 0, rest = number; i < n; i++, rest /= 5) {
                uint8_t *item = given + i * ITEM; /* ff..ff, 00..00, 00..01, 7f..ff, 80..00 */
                memset(item, rest % 5 == 0 || rest % 5 == 3 ? 0xff : 0, ITEM);
                if (rest % 5 == 2) item[little_endian() ? 0 : ITEM - 1] = 1;
                if (rest % 5 >= 3) item[little_endian() ? ITEM - 1 : 0] ^= 0x80;
            }
            sort_once(n, alternate_edge(number));
            harness_digest(sorted, n * ITEM);
        }
}

/* Arrays for which sorting algorithms have shortcuts: all items are equal but one, which stands anywhere; items differ in
 * a single byte; they begin anew after some; those at the front are sorted. */
enum { ONE_DIFFERS, ONE_BYTE, BEGINS_ANEW = ONE_BYTE + ITEM, FRONT_IS_SORTED, SHAPES };

static void fill_shape(size_t n, unsigned shape)
{
    fill(n, 0);
    const size_t at = (size_t)(prng_word() % n), step = 1 + n / (2 + at % 7);
    for (size_t i = 1; i < n; i++) {
        uint8_t *item = given + i * ITEM;
        if (shape == ONE_DIFFERS && i != at) memcpy(item, given, ITEM);
        for (size_t byte = 0; byte < ITEM; byte++)
            if (shape >= ONE_BYTE && shape < BEGINS_ANEW && byte != shape - ONE_BYTE) item[byte] = given[byte];
        if (shape == BEGINS_ANEW) memcpy(item, given + i % step * ITEM, ITEM);
    }
}

/* Sorts the items at the front; the others stay where they are. */
static void sort_front(size_t n, size_t front)
{
    static uint8_t behind[MANY_ITEMS * ITEM];
    memcpy(behind, given + front * ITEM, (n - front) * ITEM);
    sort_once(front, GUARD_BACK);
    memcpy(given, sorted, front * ITEM);
    memcpy(given + front * ITEM, behind, (n - front) * ITEM);
}

static void shapes(size_t n)
{
    for (unsigned number = 0; number < 4 * SHAPES; number++) {
        harness_case("%zu items of shape %u", n, number / 4);
        fill_shape(n, number / 4);
        if (number / 4 == FRONT_IS_SORTED) sort_front(n, n - 1 - (size_t)(prng_word() % n));
        sort_once(n, alternate_edge(number));
        harness_digest(sorted, n * ITEM);
    }
}

/* Arrays that are sorted already, that rise and fall, and of few values. */
static void patterns(size_t n)
{
    harness_case("%zu items, all but some equal", n);
    fill(n, 0);
    for (size_t i = 1; i < n; i++)
        if (i % 100) memcpy(given + i * ITEM, given, ITEM);
    sort_once(n, GUARD_BACK);
    harness_case("%zu items, random", n);
    fill(n, 0);
    sort_once(n, GUARD_BACK);
    harness_case("%zu items, sorted", n);
    memcpy(given, sorted, n * ITEM);
    sort_once(n, GUARD_BACK);
    harness_case("%zu items that rise and fall", n);
    for (size_t i = 0; i < n / 2; i++) memcpy(given + (n - 1 - i) * ITEM, given + i * ITEM, ITEM);
    sort_once(n, GUARD_BACK);
}

#define FIXED_ITEMS 40

static _Alignas(16) uint8_t few[FIXED_ITEMS * ITEM];

static void sort_few(void)
{
    memcpy(few, given, sizeof few);
    crypto_sort(few, FIXED_ITEMS);
}

static void fixed_items(void)
{
    for (size_t i = 0; i < sizeof few; i++) given[i] = (uint8_t)(i * i + 37 * i);
}

void operation_check(void)
{
    guard_open(&items, MAX_ITEMS * ITEM, "items");
    call_first(fixed_items, sort_few, few, sizeof few);
    extremes();
    for (size_t n = 0; n <= MANY_ITEMS; n = next_length(n))
        for (unsigned kind = 0; kind < 3; kind++) {
            harness_case("%zu items, distribution %u", n, kind);
            fill(n, kind);
            sort(n, alternate_edge(n + kind));
            reversed(n);
            sort(n, alternate_edge(n + kind));
        }
    for (size_t n = 0; n <= EVERY_NUMBER; n++) {
        harness_case("%zu items", n);
        fill(n, 0);
        sort_once(n, alternate_edge(n));
        if (n % 5) continue;
        fill(n, 1);
        sort_once(n, alternate_edge(n));
    }
    for (size_t n = 2; n <= 2048; n += 1 + n / 2) shapes(n);
    every_number();
    static const size_t many[] = {1024, 67001, 10007, 16384, 24577, 32767, 40961, 131101, 65536};
    cpu_budget_start(MANY_SECONDS);
    for (size_t i = 0; i < sizeof many / sizeof many[0] && cpu_budget_left(); i++) patterns(many[i]);
    repeat_first_call(repeat_calls);
}

/* Items in requests are little-endian. */
static void swap(uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n && !little_endian(); i++)
        for (size_t j = 0; j < ITEM / 2; j++) {
            uint8_t *a = bytes + i * ITEM + j, *b = bytes + i * ITEM + ITEM - 1 - j, t = *a;
            *a = *b, *b = t;
        }
}

int operation_answer(const char *verb)
{
    size_t length;
    if (strcmp(verb, "sort")) return -1;
    const uint8_t *in = request_bytes(&length);
    uint8_t *x = allocate(length, 0);
    if (length % ITEM)
        harness_fail(HARNESS_ERROR, "the request has %zu bytes, which is not a multiple of the item size %d", length,
                     (int)ITEM);
    memcpy(x, in, length);
    swap(x, length / ITEM);
    crypto_sort(x, (long long)(length / ITEM));
    swap(x, length / ITEM);
    answer_bytes(x, length);
    return 0;
}
