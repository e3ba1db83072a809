/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: the key and the message. Public: the length. */
#include "crypto_onetimeauth.h"
#include "secret.h"
#include "verification.h"

void operation_secrets(void)
{
    static uint8_t message[1000], key[crypto_onetimeauth_KEYBYTES + 1], tag[crypto_onetimeauth_BYTES];
    for (size_t length = 0; length <= sizeof message; length += 1 + length / 2) {
        secret_fill(key, crypto_onetimeauth_KEYBYTES);
        secret_fill(message, length);
        (void)crypto_onetimeauth(tag, message, length, key);
    }
}

static uint8_t said[600], key[crypto_onetimeauth_KEYBYTES + 1], tag[crypto_onetimeauth_BYTES];
static size_t length;

static void authenticate(void)
{
    secret_fill(key, crypto_onetimeauth_KEYBYTES);
    secret_text(said, length);
    (void)crypto_onetimeauth(tag, said, length, key);
    secret_clear(tag, sizeof tag);
}

static int verify(void)
{
    return crypto_onetimeauth_verify(tag, said, length, key);
}

void operation_verifications(void)
{
    const struct verification verification = {
        .prepare = authenticate,
        .call = verify,
        .packet = tag,
        .packet_bytes = sizeof tag,
        .tag = tag,
        .tag_bytes = sizeof tag,
        .texts = 256,
    };
    for (unsigned i = 0; verification_length(i, &length); i++) verification_follow(&verification);
}
