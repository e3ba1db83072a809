/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Defines what rng.h of NIST's post-quantum packages declares; compiled with each implementation
 * that includes it (there `randombytes` is a macro). randombytes_init has no effect, because the
 * harness provides the random bytes. */
#include <stdint.h>
#include <string.h>

#include "../../../primitives/crypto_blockcipher/_aes/ref.h"

enum { SUCCESS = 0, BAD_MAXLEN = -1, BAD_OUTBUF = -2, BAD_REQ_LEN = -3 };

void harness_randombytes(unsigned char *x, unsigned long long xlen) __asm__("randombytes");

int nist_randombytes(unsigned char *x, unsigned long long xlen)
{
    harness_randombytes(x, xlen);
    return SUCCESS;
}

void randombytes_init(unsigned char *entropy, unsigned char *personalization, int strength)
{
    (void)entropy, (void)personalization, (void)strength;
}

/* The prototypes of rng.h. */
typedef struct {
    unsigned char buffer[16];
    int buffer_pos;
    unsigned long length_remaining;
    unsigned char key[32];
    unsigned char ctr[16];
} AES_XOF_struct;

int seedexpander_init(AES_XOF_struct *ctx, unsigned char *seed, unsigned char *diversifier, unsigned long maxlen)
{
    if (maxlen >= 0x100000000) return BAD_MAXLEN;
    ctx->length_remaining = maxlen;
    memcpy(ctx->key, seed, 32);
    memcpy(ctx->ctr, diversifier, 8);
    for (int i = 0; i < 4; i++) ctx->ctr[8 + i] = (unsigned char)(maxlen >> (24 - 8 * i));
    memset(ctx->ctr + 12, 0, 4);
    memset(ctx->buffer, 0, 16);
    ctx->buffer_pos = 16;
    return SUCCESS;
}

int seedexpander(AES_XOF_struct *ctx, unsigned char *x, unsigned long xlen)
{
    uint8_t expanded[240];
    if (!x) return BAD_OUTBUF;
    if (xlen >= ctx->length_remaining) return BAD_REQ_LEN;
    ctx->length_remaining -= xlen;
    const int rounds = aes_expandkey_any(expanded, ctx->key, 8);
    for (; xlen; xlen--) {
        if (ctx->buffer_pos == 16) {
            aes_encrypt_any(ctx->buffer, ctx->ctr, expanded, rounds);
            for (int i = 15; i >= 12 && !++ctx->ctr[i]; i--) continue;
            ctx->buffer_pos = 0;
        }
        *x++ = ctx->buffer[ctx->buffer_pos++];
    }
    return SUCCESS;
}
