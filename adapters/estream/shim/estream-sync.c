/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Compiled with each cipher of eSTREAM's API, because much of that API is macros. Cyclometer
 * chooses the key and IV sizes when it reads the tree. */
#include "ecrypt-sync.h"

void estream_key(void *ctx, const unsigned char *key)
{
    static int ready;
    if (!ready) ECRYPT_init();
    ready = 1;
    ECRYPT_keysetup(ctx, key, ESTREAM_KEYBITS, ESTREAM_IVBITS);
}

void estream_iv(void *ctx, const unsigned char *iv)
{
    ECRYPT_ivsetup(ctx, iv);
}

/* May be called any number of times before one call of the next function. */
void estream_blocks(void *ctx, const unsigned char *in, unsigned char *out, unsigned blocks)
{
    ECRYPT_encrypt_blocks(ctx, in, out, blocks);
}

void estream_bytes(void *ctx, const unsigned char *in, unsigned char *out, unsigned length)
{
    ECRYPT_encrypt_bytes(ctx, in, out, length);
}
