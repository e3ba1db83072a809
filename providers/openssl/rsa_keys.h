/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* RSA keys of RSA_BITS / 8 bytes: pk = n, sk = n, e, d, p, q, d mod p-1, d mod q-1, 1/q mod p, all
 * as long as n. Define RSA_BITS and RSA_E, the public exponent, before the #include. */

#define RSA_BYTES (RSA_BITS / 8)
#define RSA_NUMBERS 8

static const char *const rsa_names[RSA_NUMBERS] = {OSSL_PKEY_PARAM_RSA_N,         OSSL_PKEY_PARAM_RSA_E,
                                                   OSSL_PKEY_PARAM_RSA_D,         OSSL_PKEY_PARAM_RSA_FACTOR1,
                                                   OSSL_PKEY_PARAM_RSA_FACTOR2,   OSSL_PKEY_PARAM_RSA_EXPONENT1,
                                                   OSSL_PKEY_PARAM_RSA_EXPONENT2, OSSL_PKEY_PARAM_RSA_COEFFICIENT1};

static int rsa_keypair(unsigned char *pk, unsigned char *sk)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    BIGNUM *e = BN_new();
    EVP_PKEY *key = NULL;
    int failed = !ctx || !e || !BN_set_word(e, RSA_E) || EVP_PKEY_keygen_init(ctx) <= 0 ||
                 EVP_PKEY_CTX_set_rsa_keygen_bits(ctx, RSA_BITS) <= 0 ||
                 EVP_PKEY_CTX_set1_rsa_keygen_pubexp(ctx, e) <= 0 || EVP_PKEY_keygen(ctx, &key) <= 0;
    for (size_t i = 0; i < RSA_NUMBERS && !failed; i++)
        failed = parameter_get(key, rsa_names[i], sk + i * RSA_BYTES, RSA_BYTES);
    if (!failed) memcpy(pk, sk, RSA_BYTES);
    EVP_PKEY_free(key);
    BN_free(e);
    EVP_PKEY_CTX_free(ctx);
    return failed ? -1 : 0;
}

static EVP_PKEY *rsa_public(const unsigned char *pk)
{
    unsigned char n[RSA_BYTES], e[3];
    static const unsigned char exponent[3] = {RSA_E >> 16, RSA_E >> 8 & 255, RSA_E & 255};
    OSSL_PARAM parameters[] = {parameter_number(OSSL_PKEY_PARAM_RSA_N, n, pk, RSA_BYTES),
                               parameter_number(OSSL_PKEY_PARAM_RSA_E, e, exponent, sizeof exponent), OSSL_PARAM_END};
    return parameter_key("RSA", EVP_PKEY_PUBLIC_KEY, parameters);
}

static EVP_PKEY *rsa_secret(const unsigned char *sk)
{
    unsigned char room[RSA_NUMBERS * RSA_BYTES];
    OSSL_PARAM parameters[RSA_NUMBERS + 1];
    for (size_t i = 0; i < RSA_NUMBERS; i++)
        parameters[i] = parameter_number(rsa_names[i], room + i * RSA_BYTES, sk + i * RSA_BYTES, RSA_BYTES);
    parameters[RSA_NUMBERS] = OSSL_PARAM_construct_end();
    EVP_PKEY *key = parameter_key("RSA", EVP_PKEY_KEYPAIR, parameters);
    OPENSSL_cleanse(room, sizeof room);
    return key;
}
