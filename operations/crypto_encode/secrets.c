/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the items. */
#include "crypto_encode.h"
#include "secret.h"

void operation_secrets(void)
{
    static uint64_t items[crypto_encode_ITEMS * crypto_encode_ITEMBYTES / 8 + 1];
    static unsigned char string[crypto_encode_STRBYTES];
    secret_mark(items, sizeof items); /* zeroes, which every code allows */
    crypto_encode(string, items);
}
