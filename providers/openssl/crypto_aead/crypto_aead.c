/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* OpenSSL's AEADs through EVP, used as its manual recommends for many packets under one key: the
 * key is set once in a context, and each packet sets the IV (EVP_EncryptInit(3), "AEAD
 * INTERFACE").
 *
 * PROVIDER_CCM: lengths and, to decrypt, the tag come before the text, and the whole text is
 * processed in one call ("CCM MODE"). The others take the tag at the end; OCB holds back an
 * incomplete block until then.
 *
 * EVP writes plaintext before it checks the tag; the plaintext of a forgery is then zeroed. */
#include "crypto_aead.h"

#include <limits.h>
#include <openssl/evp.h>
#include <string.h>

#define TAG crypto_aead_TAGBYTES
#ifndef PROVIDER_CCM
#define PROVIDER_CCM 0
#endif

static EVP_CIPHER_CTX *context(const uint8_t *key, int sealing)
{
    static EVP_CIPHER *cipher;
    EVP_CIPHER_CTX *made = EVP_CIPHER_CTX_new();
    if (!cipher) cipher = EVP_CIPHER_fetch(NULL, PROVIDER_CIPHER, NULL);
    if (made && cipher && EVP_CipherInit_ex2(made, cipher, NULL, NULL, sealing, NULL) &&
        EVP_CIPHER_CTX_ctrl(made, EVP_CTRL_AEAD_SET_IVLEN, crypto_aead_NONCEBYTES, NULL) > 0 &&
        (!PROVIDER_CCM || EVP_CIPHER_CTX_ctrl(made, EVP_CTRL_AEAD_SET_TAG, TAG, NULL) > 0) &&
        EVP_CipherInit_ex2(made, NULL, key, NULL, sealing, NULL))
        return made;
    EVP_CIPHER_CTX_free(made);
    return NULL;
}

int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
{
    expanded->seal = context(key, 1);
    expanded->open = context(key, 0);
    return expanded->seal && expanded->open ? 0 : -1;
}

void crypto_aead_release(crypto_aead_key *expanded)
{
    EVP_CIPHER_CTX_free(expanded->seal);
    EVP_CIPHER_CTX_free(expanded->open);
}

/* Processes nonce, associated data and text, which is the same in both directions. `done` is the
 * number of bytes written so far. */
static int process(EVP_CIPHER_CTX *ctx, uint8_t *out, const uint8_t *in, uint64_t length, const uint8_t *ad,
                   uint64_t ad_length, const uint8_t *nonce, const uint8_t *tag, int *done)
{
    if (length > INT_MAX || ad_length > INT_MAX) return -1;
    if (PROVIDER_CCM && tag && EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, TAG, (void *)tag) <= 0) return -1;
    if (!EVP_CipherInit_ex2(ctx, NULL, NULL, nonce, -1, NULL)) return -1;
    if (PROVIDER_CCM && !EVP_CipherUpdate(ctx, NULL, done, NULL, (int)length)) return -1;
    if (ad_length && !EVP_CipherUpdate(ctx, NULL, done, ad, (int)ad_length)) return -1;
    *done = 0;
    if ((length || PROVIDER_CCM) && !EVP_CipherUpdate(ctx, out, done, in, (int)length)) return -1;
    return 0;
}

int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext, uint64_t length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    EVP_CIPHER_CTX *ctx = expanded->seal;
    int done, more;
    if (process(ctx, packet + TAG, plaintext, length, ad, ad_length, nonce, NULL, &done)) return -1;
    if (!EVP_CipherFinal_ex(ctx, packet + TAG + done, &more)) return -1;
    return EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, TAG, packet) > 0 ? 0 : -1;
}

static int open_packet(EVP_CIPHER_CTX *ctx, uint8_t *plaintext, const uint8_t *packet, uint64_t length,
                       const uint8_t *ad, uint64_t ad_length, const uint8_t *nonce)
{
    uint8_t tag[TAG];
    int done, more;
    memcpy(tag, packet, TAG);
    if (process(ctx, plaintext, packet + TAG, length, ad, ad_length, nonce, tag, &done)) return -1;
    if (PROVIDER_CCM) return 0;
    return EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, TAG, tag) > 0 &&
                   EVP_CipherFinal_ex(ctx, plaintext + done, &more) > 0
               ? 0
               : -1;
}

int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet, uint64_t packet_length, const uint8_t *ad,
                        uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
{
    if (packet_length < TAG) return -1;
    if (!open_packet(expanded->open, plaintext, packet, packet_length - TAG, ad, ad_length, nonce)) return 0;
    memset(plaintext, 0, packet_length - TAG);
    return -1;
}
