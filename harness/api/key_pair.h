/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef KEY_PAIR_H
#define KEY_PAIR_H

/* Memory for key pairs. Define before the #include:
 *
 *   PK, SK   bytes of a public and of a secret key */

#include <string.h>

#include "harness.h"

/* A public key, and behind it in the same memory the secret key. */
struct keys {
    uint8_t *pk, *sk;
};

/* Gives a pair its memory unless it has some. */
static inline void open_keys(struct keys *keys)
{
    if (keys->pk) return;
    keys->pk = allocate(PK + SK, 128); /* further into its page than messages begin */
    keys->sk = keys->pk + PK;
}

static inline void copy_keys(struct keys *to, const struct keys *from)
{
    open_keys(to);
    memcpy(to->pk, from->pk, PK + SK);
}

#endif
