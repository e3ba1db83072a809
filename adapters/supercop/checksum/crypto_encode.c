/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The checksum of crypto_encode; see checksum.h. */
#include "crypto_encode.h"

#include "checksum.h"

#define ALL (crypto_encode_ITEMS * crypto_encode_ITEMBYTES)

static struct sum_array string, items;

static int call(unsigned char *const *p)
{
    crypto_encode(p[0], p[1]);
    return 0;
}

static const struct sum_function encode = {"crypto_encode", call, {&string}, {&items}, 0, 1};

void sum_test(void)
{
    sum_open_items(&items, "items", ALL, crypto_encode_ITEMBYTES);
    sum_open(&string, "string", crypto_encode_STRBYTES);
    for (size_t loop = 0; loop < sum_loops(1024, 4096); loop++) {
        sum_input(&items, ALL);
        sum_swap(items.value, ALL, crypto_encode_ITEMBYTES);
        string.length = crypto_encode_STRBYTES;
        sum_run(&encode);
    }
}
