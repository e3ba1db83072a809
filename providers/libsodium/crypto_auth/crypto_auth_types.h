/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_AUTH_TYPES_H
#define CRYPTO_AUTH_TYPES_H

/* <sodium.h> is not included, because its crypto_auth_* names clash with ours. */
#include <sodium/crypto_auth_hmacsha256.h>
#include <sodium/crypto_auth_hmacsha512.h>

#define PROVIDER_GLUE(a, b, c) a##b##c
#define PROVIDER_NAME(a, b, c) PROVIDER_GLUE(a, b, c)

#define crypto_auth_INCREMENTAL 1
typedef PROVIDER_NAME(crypto_auth_, PROVIDER_AUTH, _state) crypto_auth_state;

#endif
