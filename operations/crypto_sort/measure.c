/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_sort:
 *
 *   sort    `length` random items
 *   sorted  `length` items that are already sorted */
#include <string.h>

#include "crypto_sort.h"
#include "timing.h"

#define ITEM crypto_sort_BYTES

static struct {
    int ready;
    unsigned char *items;
} m;

static void setup(void)
{
    m.items = allocate((size_t)max_length() * ITEM, 0);
    m.ready = 1;
}

static void renew_sorted(const struct sample *s)
{
    prng_fill(m.items, (size_t)s->length * ITEM);
    crypto_sort(m.items, (long long)s->length);
}

static void sorted(struct sample *s)
{
    TIME_CHECKED(s, renew_sorted(s), crypto_sort(m.items, (long long)s->length),
                 timed_output(m.items, (size_t)s->length * ITEM));
}

int operation_measure(struct sample *sample)
{
    if (!m.ready) setup();
    placed(PLACED_INPUT, m.items, (size_t)sample->length * ITEM);
    placed(PLACED_OUTPUT, m.items, (size_t)sample->length * ITEM);
    if (!strcmp(sample->measure, "sort"))
        TIME_CHECKED(sample, prng_fill(m.items, (size_t)sample->length * ITEM),
                     crypto_sort(m.items, (long long)sample->length),
                     timed_output(m.items, (size_t)sample->length * ITEM));
    else if (!strcmp(sample->measure, "sorted"))
        sorted(sample);
    else
        return -1;
    return 0;
}
