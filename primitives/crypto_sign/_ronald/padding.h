/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef RONALD_PADDING_H
#define RONALD_PADDING_H

/* What recovery.h wants of a library that has the RSA function but not the padding without a hash's name:
 * 00 01 ff...ff 00 D, at least eight ff.  Before the #include, give, for strings of
 * crypto_sign_BYTES, 0 is success,
 *
 *   int ronald_power_secret(unsigned char *out, const unsigned char *in, void *key);
 *   int ronald_power_public(unsigned char *out, const unsigned char *in, void *key);   in >= n is refused
 *
 * With RONALD_RECOVERS_ONLY the library pads, but cannot recover. */

#include <string.h>

#ifndef RONALD_RECOVERS_ONLY
static int ronald_block_sign(unsigned char *block, const unsigned char *d, unsigned length, void *key)
{
    unsigned char padded[crypto_sign_BYTES];
    const size_t start = sizeof padded - length;
    memset(padded, 0xff, start);
    padded[0] = padded[start - 1] = 0;
    padded[1] = 1;
    if (length) memcpy(padded + start, d, length);
    return ronald_power_secret(block, padded, key);
}
#endif

static int ronald_block_recover(unsigned char *d, unsigned *length, const unsigned char *block, void *key)
{
    unsigned char padded[crypto_sign_BYTES];
    size_t start = 2;
    if (ronald_power_public(padded, block, key) || padded[0] != 0 || padded[1] != 1) return -1;
    while (start < sizeof padded && padded[start] == 0xff) start++;
    if (start < 10 || start == sizeof padded || padded[start] != 0) return -1;
    *length = (unsigned)(sizeof padded - start - 1);
    if (*length) memcpy(d, padded + start + 1, *length);
    return 0;
}

#endif
