/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CRYPTO_ONETIMEAUTH_H
#define CRYPTO_ONETIMEAUTH_H

/* crypto_onetimeauth with SUPERCOP's interface: every call begins with the key.
 * crypto_onetimeauth_BYTES and crypto_onetimeauth_KEYBYTES come from api.h. */

/* a[0 .. BYTES - 1] = the authenticator. Returns 0. */
int crypto_onetimeauth(unsigned char *a, const unsigned char *m, unsigned long long mlen, const unsigned char *k);

/* Returns 0 if `a` is the authenticator. */
int crypto_onetimeauth_verify(const unsigned char *a, const unsigned char *m, unsigned long long mlen,
                              const unsigned char *k);

#endif
