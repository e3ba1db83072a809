/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: both strings. Public: the verdict. */
#include "crypto_verify.h"
#include "secret.h"

void operation_secrets(void)
{
    unsigned char *x = allocate(crypto_verify_BYTES, 0), *y = allocate(crypto_verify_BYTES, 0);
    secret_fill(x, crypto_verify_BYTES);
    secret_fill(y, crypto_verify_BYTES);
    (void)crypto_verify(x, y);
}
