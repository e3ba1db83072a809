/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the key. */
#include "crypto_rng.h"
#include "secret.h"

void operation_secrets(void)
{
    static unsigned char r[crypto_rng_OUTPUTBYTES], n[crypto_rng_KEYBYTES], g[crypto_rng_KEYBYTES];
    secret_fill(g, sizeof g);
    (void)crypto_rng(r, n, g);
}
