/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A primitive of crypto_nonceauth as a part of a rung. */
#include "crypto_nonceauth.h"
#include "protocol.h"

static int authenticate(uint8_t *out, const uint8_t *in, uint64_t n, const uint8_t *nonce, const uint8_t *key)
{
    return crypto_nonceauth(out, in, n, nonce, key);
}

__attribute__((visibility("default"))) const struct mac part_mac = {.bytes = crypto_nonceauth_BYTES,
                                                                    .key_bytes = crypto_nonceauth_KEYBYTES,
                                                                    .nonce_bytes = crypto_nonceauth_NONCEBYTES,
                                                                    .authenticate = authenticate};
