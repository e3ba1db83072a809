/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the key and the message. Public: the length. */
#include "crypto_auth.h"
#include "secret.h"
#include "verification.h"

void operation_secrets(void)
{
    static unsigned char message[600];
    unsigned char *k = allocate(crypto_auth_KEYBYTES, 0), *tag = allocate(crypto_auth_BYTES, 0);
    for (size_t length = 0; length <= sizeof message; length += 1 + length / 2) {
        secret_fill(k, crypto_auth_KEYBYTES);
        secret_fill(message, length);
        (void)crypto_auth(tag, message, length, k);
    }
}

static unsigned char said[600], *key, *tag;
static size_t length;

static void authenticate(void)
{
    secret_fill(key, crypto_auth_KEYBYTES);
    secret_text(said, length);
    (void)crypto_auth(tag, said, length, key);
    secret_clear(tag, crypto_auth_BYTES);
}

static int verify(void)
{
    return crypto_auth_verify(tag, said, length, key);
}

void operation_verifications(void)
{
    key = allocate(crypto_auth_KEYBYTES, 0);
    tag = allocate(crypto_auth_BYTES, 0);
    const struct verification verification = {
        .prepare = authenticate,
        .call = verify,
        .packet = tag,
        .packet_bytes = crypto_auth_BYTES,
        .tag = tag,
        .tag_bytes = crypto_auth_BYTES,
        .texts = 256,
    };
    for (unsigned i = 0; verification_length(i, &length); i++) verification_follow(&verification);
}
