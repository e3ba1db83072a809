/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* OpenSSL's Poly1305 through EVP_MAC (EVP_MAC-Poly1305(7)): its key is r followed by the pad, so
 * every message sets a new key. */
#include "crypto_onetimeauth.h"

#include <openssl/evp.h>
#include <string.h>

void crypto_onetimeauth_expandkey(crypto_onetimeauth_key *expanded, const uint8_t *r)
{
    static EVP_MAC *mac;
    if (!mac) mac = EVP_MAC_fetch(NULL, PROVIDER_MAC, NULL);
    expanded->context = EVP_MAC_CTX_new(mac);
    memcpy(expanded->r, r, sizeof expanded->r);
}

void crypto_onetimeauth_authenticate(uint8_t *tag, const uint8_t *message, uint64_t length, const uint8_t *s,
                                     const crypto_onetimeauth_key *expanded)
{
    uint8_t key[32];
    size_t done;
    memcpy(key, expanded->r, 16);
    memcpy(key + 16, s, 16);
    EVP_MAC_init(expanded->context, key, sizeof key, NULL);
    EVP_MAC_update(expanded->context, message, (size_t)length);
    EVP_MAC_final(expanded->context, tag, &done, crypto_onetimeauth_TAGBYTES);
}
