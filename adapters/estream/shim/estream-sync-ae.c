/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Compiled with each authenticating cipher of eSTREAM's API. */
#include "ecrypt-sync-ae.h"

void estream_key(void *ctx, const unsigned char *key)
{
    static int ready;
    if (!ready) ECRYPT_init();
    ready = 1;
    ECRYPT_AE_keysetup(ctx, key, ESTREAM_KEYBITS, ESTREAM_IVBITS, ESTREAM_MACBITS);
}

/* Returns -1 if the cipher does not support associated data. */
static int start(void *ctx, const unsigned char *iv, const unsigned char *ad, unsigned adlen)
{
    ECRYPT_AE_ivsetup(ctx, iv);
#ifdef ECRYPT_SUPPORTS_AAD
    ECRYPT_AE_authenticate_bytes(ctx, ad, adlen);
    return 0;
#else
    (void)ad;
    return adlen ? -1 : 0;
#endif
}

int estream_seal(void *ctx, const unsigned char *iv, const unsigned char *ad, unsigned adlen, const unsigned char *in,
                 unsigned char *out, unsigned length, unsigned char *mac)
{
    if (start(ctx, iv, ad, adlen)) return -1;
    ECRYPT_AE_encrypt_bytes(ctx, in, out, length);
    ECRYPT_AE_finalize(ctx, mac);
    return 0;
}

/* The caller compares the MACs. */
int estream_open(void *ctx, const unsigned char *iv, const unsigned char *ad, unsigned adlen, const unsigned char *in,
                 unsigned char *out, unsigned length, unsigned char *mac)
{
    if (start(ctx, iv, ad, adlen)) return -1;
    ECRYPT_AE_decrypt_bytes(ctx, in, out, length);
    ECRYPT_AE_finalize(ctx, mac);
    return 0;
}
