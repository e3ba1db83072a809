/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: r, s and the message. Public: the length. */
#include "crypto_onetimeauth.h"
#include "secret.h"

void operation_secrets(void)
{
    crypto_onetimeauth_key *expanded = allocate(crypto_onetimeauth_key_size, 0);
    static uint8_t r[crypto_onetimeauth_KEYBYTES], s[crypto_onetimeauth_PADBYTES], message[1000];
    static uint8_t tag[crypto_onetimeauth_TAGBYTES];
    for (size_t length = 0; length <= sizeof message; length += 1 + length / 2) {
        secret_fill(r, sizeof r);
        secret_fill(s, sizeof s);
        secret_fill(message, length);
        crypto_onetimeauth_expandkey(expanded, r);
        crypto_onetimeauth_authenticate(tag, message, length, s, expanded);
    }
}
