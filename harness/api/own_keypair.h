/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef OWN_KEYPAIR_H
#define OWN_KEYPAIR_H

#include "check_keypair.h"

/* Answers the request with a key pair of whatever random bytes: the public key followed by the secret key. Another
 * implementation then uses the public key ([[exchange]] in operation.toml). */
static inline int answer_own_keypair(void)
{
    static struct keys keys;
    draw_keys(&keys);
    answer_bytes(keys.pk, PK + SK);
    return 0;
}

#endif
