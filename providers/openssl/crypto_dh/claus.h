/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Diffie-Hellman modulo a prime: every number has 128 bytes, big-endian; the secret key begins
 * with the public key. */

#include <openssl/crypto.h>

#include "../../../primitives/crypto_dh/_claus/domain.h"

static const unsigned char *claus_p(void)
{
    static unsigned char p[CLAUS_BYTES];
    size_t length;
    if (!p[0] && !OPENSSL_hexstr2buf_ex(p, sizeof p, &length, CLAUS_P, 0)) return NULL;
    return p;
}

/* Parameters of the group and, optionally, one number with that name. */
static EVP_PKEY *claus_key(int selection, const char *name, const unsigned char *number)
{
    static const unsigned char generator[1] = {CLAUS_G};
    unsigned char p[CLAUS_BYTES], g[1], room[CLAUS_BYTES];
    if (!claus_p()) return NULL;
    OSSL_PARAM parameters[] = {parameter_number(OSSL_PKEY_PARAM_FFC_P, p, claus_p(), CLAUS_BYTES),
                               parameter_number(OSSL_PKEY_PARAM_FFC_G, g, generator, sizeof g), OSSL_PARAM_END,
                               OSSL_PARAM_END};
    if (name) parameters[2] = parameter_number(name, room, number, CLAUS_BYTES);
    return parameter_key("DH", selection, parameters);
}

static int family_keypair(unsigned char *pk, unsigned char *sk)
{
    static EVP_PKEY *group;
    EVP_PKEY *key = NULL;
    if (!group) group = claus_key(EVP_PKEY_KEY_PARAMETERS, NULL, NULL);
    EVP_PKEY_CTX *ctx = group ? EVP_PKEY_CTX_new_from_pkey(NULL, group, NULL) : NULL;
    const int failed = !ctx || EVP_PKEY_keygen_init(ctx) <= 0 || EVP_PKEY_keygen(ctx, &key) <= 0 ||
                       parameter_get(key, OSSL_PKEY_PARAM_PUB_KEY, pk, CLAUS_BYTES) ||
                       parameter_get(key, OSSL_PKEY_PARAM_PRIV_KEY, sk + CLAUS_BYTES, CLAUS_BYTES);
    EVP_PKEY_free(key);
    EVP_PKEY_CTX_free(ctx);
    if (!failed) memcpy(sk, pk, CLAUS_BYTES);
    return failed;
}

static int family_shared(unsigned char *s, const unsigned char *pk, const unsigned char *sk)
{
    EVP_PKEY *own = claus_key(EVP_PKEY_KEYPAIR, OSSL_PKEY_PARAM_PRIV_KEY, sk + CLAUS_BYTES);
    return derive(s, own, claus_key(EVP_PKEY_PUBLIC_KEY, OSSL_PKEY_PARAM_PUB_KEY, pk));
}
