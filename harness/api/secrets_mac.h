/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SECRETS_MAC_H
#define SECRETS_MAC_H

/* The secrets.c of an authenticator that takes no nonce. Secret: the key and the message. Public: the length, and
 * whether an authenticator is accepted. Define AUTH, AUTH_VERIFY, TAG and KEY before the #include, as for check_mac.h. */

#include "secret.h"
#include "verification.h"

static unsigned char message[1000], *key, *tag;
static size_t length;

static void authenticate(void)
{
    secret_fill(key, KEY);
    secret_text(message, length);
    (void)AUTH(tag, message, length, key);
    secret_clear(tag, TAG);
}

static int verify(void)
{
    return AUTH_VERIFY(tag, message, length, key);
}

static void allocate_both(void)
{
    key = allocate(KEY, 0);
    tag = allocate(TAG, 0);
}

void operation_secrets(void)
{
    allocate_both();
    for (length = 0; length <= sizeof message; length += 1 + length / 2) authenticate();
}

void operation_verifications(void)
{
    allocate_both();
    const struct verification verification = {
        .prepare = authenticate,
        .call = verify,
        .packet = tag,
        .packet_bytes = TAG,
        .tag = tag,
        .tag_bytes = TAG,
        .texts = 256,
    };
    for (unsigned i = 0; verification_length(i, &length); i++) verification_follow(&verification);
}

#endif
