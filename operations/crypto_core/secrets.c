/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: input and key. Public: the constant. */
#include "crypto_core.h"
#include "secret.h"

void operation_secrets(void)
{
    static unsigned char out[crypto_core_OUTPUTBYTES + 1], in[crypto_core_INPUTBYTES + 1];
    static unsigned char k[crypto_core_KEYBYTES + 1], c[crypto_core_CONSTBYTES + 1];
    secret_fill(in, crypto_core_INPUTBYTES);
    secret_fill(k, crypto_core_KEYBYTES);
    prng_fill(c, crypto_core_CONSTBYTES);
    (void)crypto_core(out, in, k, c);
}
