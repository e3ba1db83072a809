/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_NONCEAUTH_TYPES_H
#define CRYPTO_NONCEAUTH_TYPES_H

#include <nettle/gcm.h>
#include <nettle/poly1305.h>
#include <nettle/umac.h>

#define CRYPTO_NONCEAUTH_GLUE(a, b) a##b
#define CRYPTO_NONCEAUTH_NAME(a, b) CRYPTO_NONCEAUTH_GLUE(a, b)

#ifndef PROVIDER_ONESHOT /* GMAC takes pieces of whole blocks only */
#define crypto_nonceauth_KEYED 1
#endif
typedef struct CRYPTO_NONCEAUTH_NAME(PROVIDER_MAC, _ctx) crypto_nonceauth_key;
typedef struct {
    crypto_nonceauth_key *ctx; /* the library's context is key and state in one */
} crypto_nonceauth_state;

#endif
