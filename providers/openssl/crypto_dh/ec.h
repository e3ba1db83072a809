/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* ECDH on the curve PROVIDER_EC with little-endian numbers. */

#define WIDTH crypto_dh_SECRETKEYBYTES

static void reversed(unsigned char *out, const unsigned char *in)
{
    for (size_t i = 0; i < WIDTH; i++) out[i] = in[WIDTH - 1 - i];
}

static int family_keypair(unsigned char *pk, unsigned char *sk)
{
    unsigned char point[1 + 2 * WIDTH], secret[WIDTH]; /* 04 || x || y */
    size_t length = 0;
    EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "EC", PROVIDER_EC);
    const int failed = !key || parameter_get(key, OSSL_PKEY_PARAM_PRIV_KEY, secret, WIDTH) ||
                       !EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point, &length) ||
                       length != sizeof point;
    EVP_PKEY_free(key);
    if (failed) return -1;
    reversed(sk, secret);
    reversed(pk, point + 1);
    reversed(pk + WIDTH, point + 1 + WIDTH);
    return 0;
}

static EVP_PKEY *ec_public(const unsigned char *pk)
{
    unsigned char point[1 + 2 * WIDTH] = {4};
    reversed(point + 1, pk);
    reversed(point + 1 + WIDTH, pk + WIDTH);
    OSSL_PARAM parameters[] = {parameter_name(OSSL_PKEY_PARAM_GROUP_NAME, PROVIDER_EC),
                               parameter_bytes(OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point), OSSL_PARAM_END};
    return parameter_key("EC", EVP_PKEY_PUBLIC_KEY, parameters);
}

static EVP_PKEY *ec_secret(const unsigned char *sk)
{
    unsigned char secret[WIDTH], room[WIDTH];
    reversed(secret, sk);
    OSSL_PARAM parameters[] = {parameter_name(OSSL_PKEY_PARAM_GROUP_NAME, PROVIDER_EC),
                               parameter_number(OSSL_PKEY_PARAM_PRIV_KEY, room, secret, WIDTH), OSSL_PARAM_END};
    return parameter_key("EC", EVP_PKEY_KEYPAIR, parameters);
}

static int family_shared(unsigned char *s, const unsigned char *pk, const unsigned char *sk)
{
    unsigned char x[WIDTH];
    if (derive(x, ec_secret(sk), ec_public(pk))) return -1;
    reversed(s, x);
    return 0;
}
