/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Keys of X25519 and X448 from their bytes. */

/* A private key is set with a public key, which OpenSSL would otherwise compute with a scalar
 * multiplication. Deriving does not read it, so zeroes suffice. */
static EVP_PKEY *montgomery_secret(const unsigned char *sk, size_t length)
{
    static const unsigned char unread[56];
    OSSL_PARAM parameters[] = {parameter_bytes(OSSL_PKEY_PARAM_PRIV_KEY, sk, length),
                               parameter_bytes(OSSL_PKEY_PARAM_PUB_KEY, unread, length), OSSL_PARAM_END};
    return parameter_key(PROVIDER_MONTGOMERY, EVP_PKEY_KEYPAIR, parameters);
}

static EVP_PKEY *montgomery_public(const unsigned char *pk, size_t length)
{
    return EVP_PKEY_new_raw_public_key_ex(NULL, PROVIDER_MONTGOMERY, NULL, pk, length);
}

/* Returns 0 on success. */
static int montgomery_base(unsigned char *pk, const unsigned char *sk, size_t length)
{
    size_t written = length;
    EVP_PKEY *key = EVP_PKEY_new_raw_private_key_ex(NULL, PROVIDER_MONTGOMERY, NULL, sk, length);
    const int made = key && EVP_PKEY_get_raw_public_key(key, pk, &written) > 0 && written == length;
    EVP_PKEY_free(key);
    return made ? 0 : -1;
}
