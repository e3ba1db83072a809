/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Signatures with a context, as in FIPS 204, which is empty here. Before this text are the implementation's own headers,
 * and macros for the names of the functions that it defines. It is used where it compiles. */
#include <stddef.h>

int without_context_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m, unsigned long long mlen,
                         const unsigned char *sk)
{
    (void)(crypto_sign); /* must be declared: without a prototype, any call compiles */
    size_t length = 0;
    const int result = (crypto_sign)(sm, &length, m, (size_t)mlen, (const unsigned char *)0, (size_t)0, sk);
    *smlen = length;
    return result;
}

int without_context_sign_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm,
                              unsigned long long smlen, const unsigned char *pk)
{
    (void)(crypto_sign_open);
    size_t length = 0;
    const int result = (crypto_sign_open)(m, &length, sm, (size_t)smlen, (const unsigned char *)0, (size_t)0, pk);
    *mlen = length;
    return result;
}
