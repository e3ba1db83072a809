/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_HASH_TYPES_H
#define CRYPTO_HASH_TYPES_H

/* <sodium.h> is not included, because its crypto_hash_* names clash with ours. */
#ifdef PROVIDER_BLAKE2B
#include <sodium/crypto_generichash_blake2b.h>
#else
#include <sodium/crypto_hash_sha256.h>
#include <sodium/crypto_hash_sha512.h>
#endif

#define PROVIDER_GLUE(a, b, c) a##b##c
#define PROVIDER_NAME(a, b, c) PROVIDER_GLUE(a, b, c)

#define crypto_hash_INCREMENTAL 1
#ifdef PROVIDER_BLAKE2B
typedef crypto_generichash_blake2b_state crypto_hash_state;
#else
typedef PROVIDER_NAME(crypto_hash_, PROVIDER_HASH, _state) crypto_hash_state;
#endif

#endif
