/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the string. */
#include "crypto_decode.h"
#include "secret.h"

void operation_secrets(void)
{
    static uint64_t items[crypto_decode_ITEMS * crypto_decode_ITEMBYTES / 8 + 1];
    static unsigned char string[crypto_decode_STRBYTES];
    secret_mark(string, sizeof string);
    crypto_decode(items, string);
}
