/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef estream_convert_api_h
#define estream_convert_api_h

/* crypto_stream over an eSTREAM cipher; an implementation's api.c includes this file. */

#include "crypto_stream.h"
#include "e/ecrypt-sync.h"

#ifdef ECRYPT_USES_DEFAULT_ALL_IN_ONE
#ifdef ECRYPT_HAS_SINGLE_PACKET_FUNCTION
void ECRYPT_process_packet(int action, ECRYPT_ctx *ctx, const u8 *iv, const u8 *input, u8 *output, u32 msglen)
{
    ECRYPT_ivsetup(ctx, iv);
    if (action)
        ECRYPT_decrypt_bytes(ctx, input, output, msglen);
    else
        ECRYPT_encrypt_bytes(ctx, input, output, msglen);
}
#else
void ECRYPT_encrypt_packet(ECRYPT_ctx *ctx, const u8 *iv, const u8 *plaintext, u8 *ciphertext, u32 msglen)
{
    ECRYPT_ivsetup(ctx, iv);
    ECRYPT_encrypt_bytes(ctx, plaintext, ciphertext, msglen);
}

void ECRYPT_decrypt_packet(ECRYPT_ctx *ctx, const u8 *iv, const u8 *ciphertext, u8 *plaintext, u32 msglen)
{
    ECRYPT_ivsetup(ctx, iv);
    ECRYPT_decrypt_bytes(ctx, ciphertext, plaintext, msglen);
}
#endif
#endif

#define ESTREAM_PIECE 65536 /* a cipher may count bytes in 32 bits */

static void estream_start(ECRYPT_ctx *ctx, const unsigned char *n, const unsigned char *k)
{
    static int ready;
    if (!ready) ECRYPT_init();
    ready = 1;
    ECRYPT_keysetup(ctx, k, 8 * crypto_stream_KEYBYTES, 8 * crypto_stream_NONCEBYTES);
    ECRYPT_ivsetup(ctx, n);
}

static void estream_piece(ECRYPT_ctx *ctx, unsigned char *c, u32 length)
{
#ifdef ECRYPT_GENERATES_KEYSTREAM
    ECRYPT_keystream_bytes(ctx, c, length);
#else
    for (u32 i = 0; i < length; i++) c[i] = 0;
    ECRYPT_encrypt_bytes(ctx, c, c, length);
#endif
}

int crypto_stream(unsigned char *c, unsigned long long clen, const unsigned char *n, const unsigned char *k)
{
    ECRYPT_ctx ctx;
    estream_start(&ctx, n, k);
    for (; clen > ESTREAM_PIECE; c += ESTREAM_PIECE, clen -= ESTREAM_PIECE) estream_piece(&ctx, c, ESTREAM_PIECE);
    estream_piece(&ctx, c, (u32)clen);
    return 0;
}

int crypto_stream_xor(unsigned char *c, const unsigned char *m, unsigned long long mlen, const unsigned char *n,
                      const unsigned char *k)
{
    ECRYPT_ctx ctx;
    estream_start(&ctx, n, k);
    for (; mlen > ESTREAM_PIECE; c += ESTREAM_PIECE, m += ESTREAM_PIECE, mlen -= ESTREAM_PIECE)
        ECRYPT_encrypt_bytes(&ctx, m, c, ESTREAM_PIECE);
    ECRYPT_encrypt_bytes(&ctx, m, c, (u32)mlen);
    return 0;
}

#endif
