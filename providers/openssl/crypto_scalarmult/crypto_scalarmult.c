/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* OpenSSL's X25519 through EVP. It rejects points of small order, whose multiple is zero. */
#include "crypto_scalarmult.h"

#include "../parameters.h"

#include "../montgomery_keys.h"

#define N crypto_scalarmult_SCALARBYTES

int crypto_scalarmult(unsigned char *q, const unsigned char *n, const unsigned char *p)
{
    size_t length = crypto_scalarmult_BYTES;
    EVP_PKEY *own = montgomery_secret(n, N), *peer = montgomery_public(p, crypto_scalarmult_BYTES);
    EVP_PKEY_CTX *ctx = own && peer ? EVP_PKEY_CTX_new_from_pkey(NULL, own, NULL) : NULL;
    const int multiplied = ctx && EVP_PKEY_derive_init(ctx) > 0 && EVP_PKEY_derive_set_peer(ctx, peer) > 0 &&
                           EVP_PKEY_derive(ctx, q, &length) > 0;
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(own);
    EVP_PKEY_free(peer);
    return multiplied ? 0 : -1;
}

int crypto_scalarmult_base(unsigned char *q, const unsigned char *n)
{
    return montgomery_base(q, n, N);
}
