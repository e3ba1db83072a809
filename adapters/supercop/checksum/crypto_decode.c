/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The checksum of crypto_decode; see checksum.h. */
#include "crypto_decode.h"

#include "checksum.h"

#define ALL (crypto_decode_ITEMS * crypto_decode_ITEMBYTES)

static struct sum_array string, items;

static int call(unsigned char *const *p)
{
    crypto_decode(p[0], p[1]);
    sum_swap(p[0], ALL, crypto_decode_ITEMBYTES);
    return 0;
}

static const struct sum_function decode = {"crypto_decode", call, {&items}, {&string}, 0, 1};

void sum_test(void)
{
    sum_open_items(&items, "items", ALL, crypto_decode_ITEMBYTES);
    sum_open(&string, "string", crypto_decode_STRBYTES);
    for (size_t loop = 0; loop < sum_loops(1024, 4096); loop++) {
        sum_input(&string, crypto_decode_STRBYTES);
        items.length = ALL;
        sum_run(&decode);
    }
}
