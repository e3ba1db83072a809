/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* ECDSA on the curve PROVIDER_EC: pk = x || y, sk = d || x || y, each as long as a field element. */

#include "pair.h"

#define WIDTH (crypto_sign_PUBLICKEYBYTES / 2)

static int family_keypair(unsigned char *pk, unsigned char *sk)
{
    unsigned char point[1 + 2 * WIDTH]; /* 04 || x || y */
    size_t length = 0;
    EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "EC", PROVIDER_EC);
    const int failed = !key || parameter_get(key, OSSL_PKEY_PARAM_PRIV_KEY, sk, WIDTH) ||
                       !EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point, &length) ||
                       length != sizeof point;
    EVP_PKEY_free(key);
    if (failed) return -1;
    memcpy(pk, point + 1, 2 * WIDTH);
    memcpy(sk + WIDTH, pk, 2 * WIDTH);
    return 0;
}

static void *family_public(const unsigned char *pk)
{
    unsigned char point[1 + 2 * WIDTH] = {4};
    memcpy(point + 1, pk, 2 * WIDTH);
    OSSL_PARAM parameters[] = {parameter_name(OSSL_PKEY_PARAM_GROUP_NAME, PROVIDER_EC),
                               parameter_bytes(OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point), OSSL_PARAM_END};
    return context(parameter_key("EC", EVP_PKEY_PUBLIC_KEY, parameters), EVP_PKEY_verify_init);
}

/* Sets no public key, since signing does not need it. */
static void *family_secret(const unsigned char *sk)
{
    unsigned char room[WIDTH];
    OSSL_PARAM parameters[] = {parameter_name(OSSL_PKEY_PARAM_GROUP_NAME, PROVIDER_EC),
                               parameter_number(OSSL_PKEY_PARAM_PRIV_KEY, room, sk, WIDTH), OSSL_PARAM_END};
    return context(parameter_key("EC", EVP_PKEY_KEYPAIR, parameters), EVP_PKEY_sign_init);
}
