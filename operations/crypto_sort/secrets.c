/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the items. Public: their number. */
#include "crypto_sort.h"
#include "secret.h"

void operation_secrets(void)
{
    static uint64_t items[200]; /* aligned for items of any size */
    for (long long n = 0; n <= 200; n += 1 + n / 2) {
        secret_fill(items, sizeof items);
        crypto_sort(items, n);
    }
}
