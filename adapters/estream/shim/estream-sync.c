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

/* The calls that are only checked return -1 if the cipher does not have them. Some headers do not declare them. */
#ifdef ECRYPT_decrypt_bytes
#define DECRYPT_BYTES ECRYPT_decrypt_bytes
#else
#define DECRYPT_BYTES shim_decrypt_bytes
void shim_decrypt_bytes(void *ctx, const unsigned char *in, unsigned char *out,
                        u32 length) __asm__("ECRYPT_decrypt_bytes") __attribute__((weak));
#endif
#ifdef ECRYPT_decrypt_blocks
#define DECRYPT_BLOCKS ECRYPT_decrypt_blocks
#else
#define DECRYPT_BLOCKS shim_decrypt_blocks
void shim_decrypt_blocks(void *ctx, const unsigned char *in, unsigned char *out,
                         u32 blocks) __asm__("ECRYPT_decrypt_blocks") __attribute__((weak));
#endif
#ifdef ECRYPT_keystream_bytes
#define KEYSTREAM_BYTES ECRYPT_keystream_bytes
#else
#define KEYSTREAM_BYTES shim_keystream_bytes
void shim_keystream_bytes(void *ctx, unsigned char *out, u32 length) __asm__("ECRYPT_keystream_bytes")
    __attribute__((weak));
#endif

int estream_decrypt_bytes(void *ctx, const unsigned char *in, unsigned char *out, unsigned length)
{
#ifndef ECRYPT_decrypt_bytes
    if (!shim_decrypt_bytes) return -1;
#endif
    DECRYPT_BYTES(ctx, in, out, length);
    return 0;
}

int estream_decrypt_blocks(void *ctx, const unsigned char *in, unsigned char *out, unsigned blocks)
{
#ifndef ECRYPT_decrypt_blocks
    if (!shim_decrypt_blocks) return -1;
#endif
    DECRYPT_BLOCKS(ctx, in, out, blocks);
    return 0;
}

int estream_keystream(void *ctx, unsigned char *out, unsigned length)
{
#ifndef ECRYPT_GENERATES_KEYSTREAM
    return -1;
#endif
#ifndef ECRYPT_keystream_bytes
    if (!shim_keystream_bytes) return -1;
#endif
    KEYSTREAM_BYTES(ctx, out, length);
    return 0;
}
