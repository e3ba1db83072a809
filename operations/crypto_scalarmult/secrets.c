/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the scalar. Public: the point. */
#include "crypto_scalarmult.h"
#include "secret.h"

void operation_secrets(void)
{
    static unsigned char q[crypto_scalarmult_BYTES], n[crypto_scalarmult_SCALARBYTES];
    for (int i = 0; i < 2; i++) {
        secret_fill(n, sizeof n);
        (void)crypto_scalarmult_base(q, n);
        secret_clear(q, sizeof q);
        (void)crypto_scalarmult(q, n, q);
    }
}
