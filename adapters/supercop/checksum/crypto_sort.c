/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The checksum of crypto_sort; see checksum.h. */
#include "crypto_sort.h"

#include "checksum.h"

#include <string.h>

static struct sum_array items, sorted;

static int call(unsigned char *const *p)
{
    memcpy(p[0], p[1], items.length);
    crypto_sort(p[0], (long long)(items.length / crypto_sort_BYTES));
    sum_swap(p[0], items.length, crypto_sort_BYTES);
    return 0;
}

static const struct sum_function sort = {"crypto_sort", call, {&sorted}, {&items}, 0, 1};

/* Sorting a sorted array must not change it. */
static void sort_again(void)
{
    memcpy(items.value, sorted.value, items.length);
    sum_swap(items.value, items.length, crypto_sort_BYTES);
    (void)sum_try(&sort);
    sum_swap(items.value, items.length, crypto_sort_BYTES);
    sum_equal(&items, &sorted);
}

void sum_test(void)
{
    const size_t longest = sum_longest(128, 4096);
    sum_open_items(&items, "items", longest * crypto_sort_BYTES, crypto_sort_BYTES);
    sum_open_items(&sorted, "sorted items", longest * crypto_sort_BYTES, crypto_sort_BYTES);
    for (size_t loop = 0; loop < sum_loops(1024, 4096); loop++) {
        const size_t length = sum_random() % (longest + 1) * crypto_sort_BYTES;
        sum_input(&items, length);
        sum_swap(items.value, length, crypto_sort_BYTES);
        sorted.length = length;
        sum_run(&sort);
        sort_again();
    }
}
