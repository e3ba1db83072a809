/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef PROVIDER_PARAMETERS_H
#define PROVIDER_PARAMETERS_H

/* Keys from byte strings by EVP_PKEY_fromdata(3), and the strings from keys. */

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <string.h>

/* Adds a big-endian number. OpenSSL's parameters are in native order, so `room`, which is as long,
 * must outlive the parameter. */
static inline OSSL_PARAM parameter_number(const char *name, unsigned char *room, const unsigned char *bytes,
                                          size_t length)
{
    const int one = 1;
    for (size_t i = 0; i < length; i++) room[i] = bytes[*(const char *)&one ? length - 1 - i : i];
    return OSSL_PARAM_construct_BN(name, room, length);
}

static inline OSSL_PARAM parameter_bytes(const char *name, const unsigned char *bytes, size_t length)
{
    return OSSL_PARAM_construct_octet_string(name, (void *)bytes, length); /* only read */
}

static inline OSSL_PARAM parameter_name(const char *name, const char *value)
{
    return OSSL_PARAM_construct_utf8_string(name, (char *)value, 0); /* only read */
}

/* The context is created once, because all keys of a program have the same type. */
static inline EVP_PKEY *parameter_key(const char *type, int selection, OSSL_PARAM *parameters)
{
    static EVP_PKEY_CTX *importer;
    EVP_PKEY *key = NULL;
    if (!importer) importer = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    if (!importer || EVP_PKEY_fromdata_init(importer) <= 0) return NULL;
    if (EVP_PKEY_fromdata(importer, &key, selection, parameters) <= 0) return NULL;
    return key;
}

/* Writes a number of the key, big-endian, in exactly `length` bytes. Returns 0 on success. */
static inline int parameter_get(const EVP_PKEY *key, const char *name, unsigned char *out, size_t length)
{
    BIGNUM *number = NULL;
    const int taken = EVP_PKEY_get_bn_param(key, name, &number) && BN_bn2binpad(number, out, (int)length) >= 0;
    BN_clear_free(number);
    return taken ? 0 : -1;
}

#endif
