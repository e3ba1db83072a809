/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Secret: state and message. Public: the length. */
#include "crypto_hashblocks.h"
#include "secret.h"

void operation_secrets(void)
{
    static unsigned char state[crypto_hashblocks_STATEBYTES], message[1000];
    secret_fill(state, sizeof state);
    secret_fill(message, sizeof message);
    (void)crypto_hashblocks(state, message, sizeof message);
}
