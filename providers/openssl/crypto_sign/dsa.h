/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* DSA with fixed domain parameters: pk = y, sk = y || x. */

#include <openssl/crypto.h>

#include "../../../primitives/crypto_sign/_donald/domain.h"
#include "pair.h"

#define P DONALD_PBYTES
#define Q DONALD_QBYTES

static const struct domain {
    unsigned char p[P], q[Q], g[P];
} *domain(void)
{
    static struct domain made;
    static int ready;
    size_t length;
    if (ready) return &made;
    ready = OPENSSL_hexstr2buf_ex(made.p, P, &length, DONALD_P, 0) &&
            OPENSSL_hexstr2buf_ex(made.q, Q, &length, DONALD_Q, 0) &&
            OPENSSL_hexstr2buf_ex(made.g, P, &length, DONALD_G, 0);
    return ready ? &made : NULL;
}

/* The domain parameters, with y, with x, or with neither. */
static EVP_PKEY *dsa_key(int selection, const unsigned char *y, const unsigned char *x)
{
    const struct domain *d = domain();
    unsigned char p[P], q[Q], g[P], key[P];
    if (!d) return NULL;
    OSSL_PARAM parameters[] = {parameter_number(OSSL_PKEY_PARAM_FFC_P, p, d->p, P),
                               parameter_number(OSSL_PKEY_PARAM_FFC_Q, q, d->q, Q),
                               parameter_number(OSSL_PKEY_PARAM_FFC_G, g, d->g, P), OSSL_PARAM_END, OSSL_PARAM_END};
    if (y) parameters[3] = parameter_number(OSSL_PKEY_PARAM_PUB_KEY, key, y, P);
    if (x) parameters[3] = parameter_number(OSSL_PKEY_PARAM_PRIV_KEY, key, x, Q);
    return parameter_key("DSA", selection, parameters);
}

#if P < 128
/* y = g^x mod p: OpenSSL 3.0 does not generate 512-bit keys itself. */
static int family_draw(unsigned char *pk, unsigned char *x)
{
    const struct domain *d = domain();
    BN_CTX *ctx = BN_CTX_new();
    BIGNUM *p = BN_bin2bn(d->p, P, NULL), *q = BN_bin2bn(d->q, Q, NULL), *g = BN_bin2bn(d->g, P, NULL);
    BIGNUM *secret = BN_secure_new(), *y = BN_new();
    int drawn = ctx && p && q && g && secret && y;
    do drawn = drawn && BN_priv_rand_range(secret, q);
    while (drawn && BN_is_zero(secret));
    drawn = drawn && BN_mod_exp_mont_consttime(y, g, secret, p, ctx, NULL) && BN_bn2binpad(y, pk, P) >= 0 &&
            BN_bn2binpad(secret, x, Q) >= 0;
    BN_free(p), BN_free(q), BN_free(g), BN_free(y);
    BN_clear_free(secret);
    BN_CTX_free(ctx);
    return drawn ? 0 : -1;
}
#else
static int family_draw(unsigned char *pk, unsigned char *x)
{
    static EVP_PKEY *parameters;
    EVP_PKEY *key = NULL;
    if (!parameters) parameters = dsa_key(EVP_PKEY_KEY_PARAMETERS, NULL, NULL);
    EVP_PKEY_CTX *ctx = parameters ? EVP_PKEY_CTX_new_from_pkey(NULL, parameters, NULL) : NULL;
    const int failed = !ctx || EVP_PKEY_keygen_init(ctx) <= 0 || EVP_PKEY_keygen(ctx, &key) <= 0 ||
                       parameter_get(key, OSSL_PKEY_PARAM_PUB_KEY, pk, P) ||
                       parameter_get(key, OSSL_PKEY_PARAM_PRIV_KEY, x, Q);
    EVP_PKEY_free(key);
    EVP_PKEY_CTX_free(ctx);
    return failed;
}
#endif

static int family_keypair(unsigned char *pk, unsigned char *sk)
{
    if (!domain() || family_draw(pk, sk + P)) return -1;
    memcpy(sk, pk, P);
    return 0;
}

static void *family_public(const unsigned char *pk)
{
    return context(dsa_key(EVP_PKEY_PUBLIC_KEY, pk, NULL), EVP_PKEY_verify_init);
}

/* Sets no y, since signing does not need it. */
static void *family_secret(const unsigned char *sk)
{
    return context(dsa_key(EVP_PKEY_KEYPAIR, NULL, sk + P), EVP_PKEY_sign_init);
}
