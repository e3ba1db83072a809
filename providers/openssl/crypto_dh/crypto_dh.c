/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* OpenSSL's Diffie-Hellman through EVP; keys are parsed in every call, as the API requires.
 *
 *   PROVIDER_MONTGOMERY = "X25519"   RFC 7748
 *   PROVIDER_EC = "prime256v1"       pk = x || y, shared = x, all little-endian
 *   PROVIDER_CLAUS                   sk = pk || exponent, big-endian */
#include "crypto_dh.h"

#include "../parameters.h"
#include "../random.h"

/* Returns nonzero if OpenSSL rejects the peer's key or there is none. */
static int derive(unsigned char *s, EVP_PKEY *own, EVP_PKEY *peer)
{
    size_t length = crypto_dh_BYTES;
    EVP_PKEY_CTX *ctx = own && peer ? EVP_PKEY_CTX_new_from_pkey(NULL, own, NULL) : NULL;
    int shared = ctx && EVP_PKEY_derive_init(ctx) > 0;
#ifdef PROVIDER_CLAUS
    shared = shared && EVP_PKEY_CTX_set_dh_pad(ctx, 1) > 0;
#endif
    shared = shared && EVP_PKEY_derive_set_peer(ctx, peer) > 0 && EVP_PKEY_derive(ctx, s, &length) > 0 &&
             length == crypto_dh_BYTES;
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(own);
    EVP_PKEY_free(peer);
    return shared ? 0 : -1;
}

#if defined(PROVIDER_CLAUS)
#include "claus.h"
#elif defined(PROVIDER_EC)
#include "ec.h"
#else
#include "montgomery.h"
#endif

int crypto_dh_keypair(unsigned char *pk, unsigned char *sk)
{
    random_visible(1);
    const int failed = family_keypair(pk, sk);
    random_visible(0);
    return failed;
}

int crypto_dh(unsigned char *s, const unsigned char *pk, const unsigned char *sk)
{
    return family_shared(s, pk, sk);
}
