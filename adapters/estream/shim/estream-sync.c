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

/* The calls that are only checked return -1 if the cipher does not have them. Some headers do not declare them; those
 * that are macros of a header are no functions. */
void shim_decrypt_bytes(void *ctx, const unsigned char *in, unsigned char *out,
                        u32 length) __asm__("ECRYPT_decrypt_bytes") __attribute__((weak));
void shim_decrypt_blocks(void *ctx, const unsigned char *in, unsigned char *out,
                         u32 blocks) __asm__("ECRYPT_decrypt_blocks") __attribute__((weak));
void shim_keystream_bytes(void *ctx, unsigned char *out, u32 length) __asm__("ECRYPT_keystream_bytes")
    __attribute__((weak));

int estream_decrypt_bytes(void *ctx, const unsigned char *in, unsigned char *out, unsigned length)
{
#ifdef ECRYPT_decrypt_bytes
    ECRYPT_decrypt_bytes(ctx, in, out, length);
#else
    if (!shim_decrypt_bytes) return -1;
    shim_decrypt_bytes(ctx, in, out, length);
#endif
    return 0;
}

int estream_decrypt_blocks(void *ctx, const unsigned char *in, unsigned char *out, unsigned blocks)
{
#ifdef ECRYPT_decrypt_blocks
    ECRYPT_decrypt_blocks(ctx, in, out, blocks);
#else
    if (!shim_decrypt_blocks) return -1;
    shim_decrypt_blocks(ctx, in, out, blocks);
#endif
    return 0;
}

int estream_keystream(void *ctx, unsigned char *out, unsigned length)
{
#ifndef ECRYPT_GENERATES_KEYSTREAM
    return -1;
#elif defined ECRYPT_keystream_bytes
    ECRYPT_keystream_bytes(ctx, out, length);
#else
    if (!shim_keystream_bytes) return -1;
    shim_keystream_bytes(ctx, out, length);
#endif
    return 0;
}
