/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: both strings. Public: the verdict. */
#include "crypto_verify.h"
#include "secret.h"

void operation_secrets(void)
{
    static unsigned char x[crypto_verify_BYTES], y[crypto_verify_BYTES];
    secret_fill(x, sizeof x);
    secret_fill(y, sizeof y);
    (void)crypto_verify(x, y);
}
