/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libsodium's crypto_secretbox with NaCl's zero bytes. */
#include "crypto_secretbox.h"

#include <sodium/core.h>
#include <sodium/crypto_secretbox_xsalsa20poly1305.h>

int crypto_secretbox(unsigned char *c, const unsigned char *m, unsigned long long mlen, const unsigned char *n,
                     const unsigned char *k)
{
    (void)sodium_init();
    return crypto_secretbox_xsalsa20poly1305(c, m, mlen, n, k);
}

int crypto_secretbox_open(unsigned char *m, const unsigned char *c, unsigned long long clen, const unsigned char *n,
                          const unsigned char *k)
{
    (void)sodium_init();
    return crypto_secretbox_xsalsa20poly1305_open(m, c, clen, n, k);
}
